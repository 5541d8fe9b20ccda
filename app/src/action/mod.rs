//! What pages let people do: one type for all of it, so that the browser's half holds the code that sends a form,
//! waits and tells the end once. Without script the same forms go to the same calls.

pub mod schema_form;

use leptos::prelude::*;
use leptos::server_fn::error::ServerFnUrlError;
use leptos_router::hooks::use_location;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;

use crate::call;
use crate::error::AppError;
use crate::rejections::{Reverified, ReverifiedAll};
use crate::secrets::NewSecret;
use crate::types::DeliveryNumber;
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
    /// A source is made, changed or deleted.
    ApplyToSource,
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
            Self::ApplyToSource => "/rpc/sources/apply",
        }
    }

    /// Sends what it holds.
    async fn send(self, fields: Vec<(String, String)>) -> Result<Done, AppError> {
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let json = call::call(self.path(), fields).await?;
        self.done(&json).map_err(|_| AppError::Transport)
    }

    /// Reads the answer.
    fn done(self, json: &str) -> serde_json::Result<Done> {
        fn read<T: DeserializeOwned>(json: &str, done: fn(T) -> Done) -> serde_json::Result<Done> {
            serde_json::from_slice(json.as_bytes()).map(done)
        }
        match self {
            Self::Resend | Self::Deliver => read(json, Done::Resent),
            Self::StartResend => read(json, Done::Started),
            Self::RotateDestination | Self::CreateDestination => read(json, Done::Made),
            Self::ApplyToSource => read(json, Done::Shown),
            Self::Verify => read(json, Done::Verified),
            Self::VerifyAll => read(json, Done::VerifiedAll),
            Self::RotateSource => Ok(Done::Rotated),
            Self::Retire => Ok(Done::Retired),
            Self::Extend => Ok(Done::Extended),
            Self::Undo => Ok(Done::Undone),
            Self::Test => Ok(Done::Tested),
            Self::Compare => Ok(Done::Comparing),
            Self::Acknowledge => Ok(Done::Noted),
            Self::AcknowledgeAlert => Ok(Done::Seen),
            Self::Release => Ok(Done::Released),
            Self::CancelResend => Ok(Done::Cancelled),
            Self::EditDestination | Self::ApplyToDestination => Ok(Done::Changed),
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
    /// The page at this path shows what came of it.
    Shown(String),
}

/// How the forms of a page stand.
#[derive(Clone, Copy)]
pub struct ActionState {
    pending: RwSignal<bool>,
    outcome: RwSignal<Option<Result<Done, AppError>>>,
}

impl ActionState {
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
            let outcome = form.send(fields).await;
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
    use crate::{
        alerts, deliveries, destinations, events, reconciliation, rejections, resends, secrets, sources,
    };

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
            (Form::ApplyToSource, sources::ApplyToSource::PATH),
        ] {
            assert_eq!(form.path(), path);
        }
    }
}
