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
use crate::rejections::{ReverifyResult, ReverifySummary};
use crate::secrets::NewSecret;
use crate::types::DeliveryNumber;
use crate::ui::{IntoPart, Ui, browser, query};

/// Which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
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

impl FormKind {
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
    async fn send(self, fields: Vec<(String, String)>) -> Result<FormResult, AppError> {
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let json = call::call(self.path(), fields).await?;
        self.done(&json).map_err(|_| AppError::Transport)
    }

    /// Reads the answer.
    fn done(self, json: &str) -> serde_json::Result<FormResult> {
        fn read<T: DeserializeOwned>(
            json: &str,
            done: fn(T) -> FormResult,
        ) -> serde_json::Result<FormResult> {
            serde_json::from_slice(json.as_bytes()).map(done)
        }
        match self {
            Self::Resend | Self::Deliver => read(json, FormResult::Resent),
            Self::StartResend => read(json, FormResult::Started),
            Self::RotateDestination | Self::CreateDestination => read(json, FormResult::Made),
            Self::ApplyToSource => read(json, FormResult::Shown),
            Self::Verify => read(json, FormResult::Verified),
            Self::VerifyAll => read(json, FormResult::VerifiedAll),
            Self::RotateSource => Ok(FormResult::Rotated),
            Self::Retire => Ok(FormResult::Retired),
            Self::Extend => Ok(FormResult::Extended),
            Self::Undo => Ok(FormResult::Undone),
            Self::Test => Ok(FormResult::Tested),
            Self::Compare => Ok(FormResult::Comparing),
            Self::Acknowledge => Ok(FormResult::Noted),
            Self::AcknowledgeAlert => Ok(FormResult::Seen),
            Self::Release => Ok(FormResult::Released),
            Self::CancelResend => Ok(FormResult::Cancelled),
            Self::EditDestination | Self::ApplyToDestination => Ok(FormResult::Changed),
        }
    }
}

/// What came of a form.
#[derive(Clone)]
pub enum FormResult {
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
    Verified(ReverifyResult),
    /// So were all of a source.
    VerifiedAll(ReverifySummary),
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
    outcome: RwSignal<Option<Result<FormResult, AppError>>>,
}

impl ActionState {
    /// Nothing sent yet; or the error that the server wrote into the URL, where a form was sent without script.
    pub fn new(forms: &[FormKind]) -> Self {
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
    pub fn done(self) -> Option<FormResult> {
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

    fn send(self, form: FormKind, fields: Vec<(String, String)>) {
        self.pending.set(true);
        leptos::task::spawn_local(async move {
            let outcome = form.send(fields).await;
            self.pending.try_set(false);
            self.outcome.try_set(Some(outcome));
        });
    }

    /// The form around its fields.
    pub fn form(self, ui: Ui, form: FormKind, content: AnyView) -> AnyView {
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

    use super::FormKind;
    use crate::{
        alerts, deliveries, destinations, events, reconciliation, rejections, resends, secrets, sources,
    };

    #[test]
    fn each_form_goes_where_its_call_is() {
        for (form, path) in [
            (FormKind::Resend, deliveries::Resend::PATH),
            (FormKind::RotateSource, secrets::RotateSource::PATH),
            (FormKind::RotateDestination, secrets::RotateDestination::PATH),
            (FormKind::Retire, secrets::RetireSecret::PATH),
            (FormKind::Extend, secrets::ExtendSecret::PATH),
            (FormKind::Undo, secrets::UndoRotation::PATH),
            (FormKind::Test, secrets::TestDestination::PATH),
            (FormKind::Compare, reconciliation::StartReconciliation::PATH),
            (FormKind::Acknowledge, reconciliation::AcknowledgeDifference::PATH),
            (FormKind::Verify, rejections::VerifyRejection::PATH),
            (FormKind::VerifyAll, rejections::VerifyRejections::PATH),
            (FormKind::AcknowledgeAlert, alerts::AcknowledgeAlert::PATH),
            (FormKind::Release, events::ReleaseEvent::PATH),
            (FormKind::Deliver, deliveries::Deliver::PATH),
            (FormKind::StartResend, resends::StartResend::PATH),
            (FormKind::CancelResend, resends::CancelResend::PATH),
            (FormKind::CreateDestination, destinations::CreateDestination::PATH),
            (FormKind::EditDestination, destinations::EditDestination::PATH),
            (FormKind::ApplyToDestination, destinations::ApplyToDestination::PATH),
            (FormKind::ApplyToSource, sources::ApplyToSource::PATH),
        ] {
            assert_eq!(form.path(), path);
        }
    }
}
