//! What pages let people do: one type for all of it, so that the browser's half holds the code that sends a form,
//! waits and tells the end once. Without script the same forms go to the same calls.

use leptos::prelude::*;
use leptos::server_fn::error::ServerFnUrlError;
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;

use crate::alerts::acknowledge_alert;
use crate::deliveries::{deliver, resend};
use crate::destinations::{
    Change, DestinationForm, apply_to_destination, create_destination, edit_destination,
};
use crate::error::{AppError, Rule};
use crate::events::release_event;
use crate::reconciliation::{acknowledge_difference, start_reconciliation};
use crate::rejections::{Reverified, ReverifiedAll, verify_rejection, verify_rejections};
use crate::resends::{cancel_resend, start_resend};
use crate::secrets::{
    Holder, NewSecret, extend_secret, retire_secret, rotate_destination, rotate_source, test_destination,
    undo_rotation,
};
use crate::types::{DeliveryNumber, Slug};
use crate::ui::{IntoPart, Ui, browser, query};

/// Which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One attempt by hand.
    Resend,
    /// A source's new secret.
    RotateSource,
    /// A destination's new secret.
    RotateDestination,
    /// The end of a secret.
    Retire,
    /// A later end of a secret.
    Extend,
    /// A rotation that is taken back.
    Undo,
    /// What a destination's server makes of signatures.
    Test,
    /// A comparison with a provider.
    Compare,
    /// A note about a difference.
    Acknowledge,
    /// A rejection verified again.
    Verify,
    /// All rejections of a source verified again.
    VerifyAll,
    /// An alert that somebody has looked at.
    AcknowledgeAlert,
    /// An event that goes out although it contradicts its source.
    Release,
    /// An event goes to one more destination.
    Deliver,
    /// An attempt by hand for each of many.
    StartResend,
    /// The end of that.
    CancelResend,
    /// A new destination.
    CreateDestination,
    /// Other settings of a destination.
    EditDestination,
    /// A destination is paused, resumed or deleted.
    ApplyToDestination,
}

impl Form {
    /// Where it goes without script.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Resend => "/rpc/deliveries/resend",
            Self::RotateSource => "/rpc/secrets/rotate-source",
            Self::RotateDestination => "/rpc/secrets/rotate-destination",
            Self::Retire => "/rpc/secrets/retire",
            Self::Extend => "/rpc/secrets/extend",
            Self::Undo => "/rpc/secrets/undo",
            Self::Test => "/rpc/secrets/test",
            Self::Compare => "/rpc/reconciliation/start",
            Self::Acknowledge => "/rpc/reconciliation/acknowledge",
            Self::Verify => "/rpc/rejections/verify",
            Self::VerifyAll => "/rpc/rejections/verify-all",
            Self::AcknowledgeAlert => "/rpc/alerts/acknowledge",
            Self::Release => "/rpc/events/release",
            Self::Deliver => "/rpc/deliveries/deliver",
            Self::StartResend => "/rpc/resends/start",
            Self::CancelResend => "/rpc/resends/cancel",
            Self::CreateDestination => "/rpc/destinations/create",
            Self::EditDestination => "/rpc/destinations/edit",
            Self::ApplyToDestination => "/rpc/destinations/apply",
        }
    }

    /// Sends what it holds.
    async fn send(self, fields: Fields) -> Result<Done, AppError> {
        match self {
            Self::Resend => resend(fields.parse("id")?, fields.take("reason")?).await.map(Done::Resent),
            Self::RotateSource => {
                let secret = fields.take("secret")?;
                let (slug, overlap_s) = (fields.slug("slug")?, fields.parse("overlap_s")?);
                rotate_source(slug, secret, overlap_s, fields.reason()).await?;
                Ok(Done::Rotated)
            }
            Self::RotateDestination => {
                let (slug, overlap_s) = (fields.slug("slug")?, fields.parse("overlap_s")?);
                rotate_destination(slug, overlap_s, fields.reason()).await.map(Done::Made)
            }
            Self::Retire => {
                let (slug, id) = (fields.slug("slug")?, fields.take("id")?);
                retire_secret(fields.holder()?, slug, id, fields.reason()).await?;
                Ok(Done::Retired)
            }
            Self::Extend => {
                let (slug, id) = (fields.slug("slug")?, fields.take("id")?);
                extend_secret(fields.holder()?, slug, id, fields.parse("extend_s")?, fields.reason()).await?;
                Ok(Done::Extended)
            }
            Self::Undo => {
                undo_rotation(fields.holder()?, fields.slug("slug")?, fields.reason()).await?;
                Ok(Done::Undone)
            }
            Self::Test => {
                test_destination(fields.slug("slug")?).await?;
                Ok(Done::Tested)
            }
            Self::Compare => {
                start_reconciliation(fields.slug("source")?, fields.take("from")?, fields.take("to")?)
                    .await?;
                Ok(Done::Comparing)
            }
            Self::Acknowledge => {
                acknowledge_difference(fields.parse("id")?, fields.take("note")?).await?;
                Ok(Done::Noted)
            }
            Self::Verify => verify_rejection(fields.parse("id")?).await.map(Done::Verified),
            Self::VerifyAll => verify_rejections(fields.slug("source")?).await.map(Done::VerifiedAll),
            Self::AcknowledgeAlert => acknowledge_alert(fields.parse("id")?).await.map(|()| Done::Seen),
            Self::Release => {
                release_event(fields.parse("id")?, fields.take("reason")?).await.map(|()| Done::Released)
            }
            Self::Deliver => {
                let destination = fields.slug("destination")?;
                deliver(fields.parse("event")?, destination, fields.take("reason")?).await.map(Done::Resent)
            }
            Self::StartResend => {
                let filter = fields.get("filter");
                start_resend(filter, fields.take("reason")?, fields.get("rate_per_s"))
                    .await
                    .map(Done::Started)
            }
            Self::CancelResend => cancel_resend(fields.parse("id")?).await.map(|()| Done::Cancelled),
            Self::CreateDestination => create_destination(fields.destination()).await.map(Done::Made),
            Self::EditDestination => edit_destination(fields.destination()).await.map(|()| Done::Changed),
            Self::ApplyToDestination => {
                let change = match fields.take("change")?.as_str() {
                    "pause" => Change::Pause,
                    "resume" => Change::Resume,
                    _ => Change::Delete,
                };
                apply_to_destination(fields.slug("slug")?, change).await.map(|()| Done::Changed)
            }
        }
    }
}

/// What came of a form.
#[derive(Clone)]
pub enum Done {
    /// This delivery gets an attempt by hand.
    Resent(DeliveryNumber),
    /// Two secrets count now.
    Rotated,
    /// The same, and this is the new one.
    Made(NewSecret),
    /// One secret fewer counts.
    Retired,
    /// One secret counts for longer.
    Extended,
    /// The newest secret was taken back.
    Undone,
    /// A destination's server has answered.
    Tested,
    /// A comparison runs.
    Comparing,
    /// The note is kept.
    Noted,
    /// The rejection was verified again.
    Verified(Reverified),
    /// So were all of a source.
    VerifiedAll(ReverifiedAll),
    /// The alert is acknowledged.
    Seen,
    /// The event goes out.
    Released,
    /// The resend of many with this number runs.
    Started(i64),
    /// What of it had not run does not.
    Cancelled,
    /// A destination is as it was asked for.
    Changed,
}

/// The fields of a form, by name.
struct Fields(Vec<(String, String)>);

impl Fields {
    fn take(&self, name: &str) -> Result<String, AppError> {
        let found = self.0.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.clone()).ok_or_else(|| AppError::field(name, Rule::Required))
    }

    /// The field, or nothing where it was left blank.
    fn get(&self, name: &str) -> String {
        self.take(name).unwrap_or_default()
    }

    fn destination(&self) -> DestinationForm {
        let field = |name: &str| self.get(&format!("form[{name}]"));
        DestinationForm {
            slug: field("slug"),
            url: field("url"),
            format: field("format"),
            sources: field("sources"),
            events: field("events"),
            ladder: field("ladder"),
            timeout_ms: field("timeout_ms"),
            max_in_flight: field("max_in_flight"),
            rate_per_s: field("rate_per_s"),
        }
    }

    /// Why, where the form asks.
    fn reason(&self) -> String {
        self.take("reason").unwrap_or_default()
    }

    fn holder(&self) -> Result<Holder, AppError> {
        Ok(if self.take("holder")? == "source" { Holder::Source } else { Holder::Destination })
    }

    fn parse(&self, name: &str) -> Result<i64, AppError> {
        self.take(name)?.parse().map_err(|_| AppError::field(name, Rule::Malformed))
    }

    fn slug(&self, name: &str) -> Result<Slug, AppError> {
        self.take(name)?.parse().map_err(|_| AppError::field(name, Rule::Malformed))
    }
}

/// How the forms of a page stand.
#[derive(Clone, Copy)]
pub struct Doing {
    pending: RwSignal<bool>,
    outcome: RwSignal<Option<Result<Done, AppError>>>,
}

impl Doing {
    /// Nothing sent yet; or the error that the server wrote into the URL, where a form was sent without script.
    pub fn new(forms: &[Form]) -> Self {
        let search = use_location().search.get_untracked();
        let sent = query::value(&search, "__path");
        let is_ours = forms.iter().any(|form| sent.as_deref() == Some(form.path()));
        let error = query::value(&search, "__err").filter(|_| is_ours);
        let outcome = error.map(|error| Err(ServerFnUrlError::<AppError>::decode_err(&error)));
        Self { pending: RwSignal::new(false), outcome: RwSignal::new(outcome) }
    }

    /// Forgets what came of the last one.
    pub fn clear(self) {
        self.outcome.set(None);
    }

    /// What was done, once it is.
    pub fn done(self) -> Option<Done> {
        self.outcome.get()?.ok()
    }

    /// Why it was not.
    pub fn error(self) -> Option<AppError> {
        self.outcome.get()?.err()
    }

    /// Whether the answer is awaited.
    pub fn is_pending(self) -> bool {
        self.pending.get()
    }

    fn send(self, form: Form, fields: Vec<(String, String)>) {
        self.pending.set(true);
        leptos::task::spawn_local(async move {
            let outcome = form.send(Fields(fields)).await;
            self.pending.try_set(false);
            self.outcome.try_set(Some(outcome));
        });
    }

    /// The form around its fields.
    pub fn form(self, ui: Ui, form: Form, content: AnyView) -> AnyView {
        let submit = move |event: leptos::ev::SubmitEvent| {
            event.prevent_default();
            let target = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlFormElement>().ok());
            if let Some(target) = target.filter(|_| !self.pending.get_untracked()) {
                self.send(form, browser::form_pairs(&target, ui.clock.is_local()));
            }
        };
        view! {
            <form method="post" action=form.path() on:submit=submit>
                {content}
            </form>
        }
        .part()
    }
}

#[cfg(test)]
mod tests {
    use leptos::server_fn::ServerFn;

    use super::Form;
    use crate::{alerts, deliveries, destinations, events, reconciliation, rejections, resends, secrets};

    #[test]
    fn each_form_goes_where_its_call_is() {
        for (form, path) in [
            (Form::Resend, deliveries::Resend::PATH),
            (Form::RotateSource, secrets::RotateSource::PATH),
            (Form::RotateDestination, secrets::RotateDestination::PATH),
            (Form::Retire, secrets::RetireSecret::PATH),
            (Form::Extend, secrets::ExtendSecret::PATH),
            (Form::Undo, secrets::UndoRotation::PATH),
            (Form::Test, secrets::TestDestination::PATH),
            (Form::Compare, reconciliation::StartReconciliation::PATH),
            (Form::Acknowledge, reconciliation::AcknowledgeDifference::PATH),
            (Form::Verify, rejections::VerifyRejection::PATH),
            (Form::VerifyAll, rejections::VerifyRejections::PATH),
            (Form::AcknowledgeAlert, alerts::AcknowledgeAlert::PATH),
            (Form::Release, events::ReleaseEvent::PATH),
            (Form::Deliver, deliveries::Deliver::PATH),
            (Form::StartResend, resends::StartResend::PATH),
            (Form::CancelResend, resends::CancelResend::PATH),
            (Form::CreateDestination, destinations::CreateDestination::PATH),
            (Form::EditDestination, destinations::EditDestination::PATH),
            (Form::ApplyToDestination, destinations::ApplyToDestination::PATH),
        ] {
            assert_eq!(form.path(), path);
        }
    }
}
