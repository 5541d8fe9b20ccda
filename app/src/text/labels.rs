//! The texts of words that the server sends: states, kinds, roles, rules.

use super::{Texts, fill};
use crate::error::{AppError, FieldError, Rule};
use crate::types::{
    AlertKind, AlertState, AttemptError, BodyOddity, DeliveryState, DifferenceKind, DifferenceState,
    RejectionReason, ResendState, Role, RunState, SignatureOrder, group_digits,
};

impl Texts {
    /// A month, short; 1 to 12.
    pub fn month(&self, month: u8) -> &'static str {
        self.months.split(' ').nth(usize::from(month).saturating_sub(1)).unwrap_or_default()
    }

    /// A day of the week, short; 0 is Monday.
    pub fn weekday(&self, day: usize) -> &'static str {
        self.weekdays.split(' ').nth(day).unwrap_or_default()
    }

    /// A role.
    pub const fn role(&self, role: Role) -> &'static str {
        match role {
            Role::Viewer => self.role_viewer,
            Role::Support => self.role_support,
            Role::Admin => self.role_admin,
        }
    }

    /// A state of a delivery.
    pub const fn delivery_state(&self, state: DeliveryState) -> &'static str {
        match state {
            DeliveryState::Pending => self.pending,
            DeliveryState::Failed => self.failed,
            DeliveryState::Held => self.held,
            DeliveryState::Delivered => self.delivered,
            DeliveryState::Cancelled => self.cancelled,
        }
    }

    /// A state of a difference.
    pub const fn difference_state(&self, state: DifferenceState) -> &'static str {
        match state {
            DifferenceState::Open => self.open,
            DifferenceState::Acknowledged => self.acknowledged,
            DifferenceState::Resolved => self.resolved,
        }
    }

    /// A state of an alert.
    pub const fn alert_state(&self, state: AlertState) -> &'static str {
        match state {
            AlertState::Open => self.open,
            AlertState::Acknowledged => self.acknowledged,
            AlertState::Resolved => self.resolved,
        }
    }

    /// What an alert is about.
    pub const fn alert_kind(&self, kind: AlertKind) -> &'static str {
        match kind {
            AlertKind::AlteredRepeat => self.alert_altered_repeat,
            AlertKind::ModeMismatch => self.alert_mode_mismatch,
            AlertKind::RejectionJump => self.alert_rejection_jump,
            AlertKind::DeliveryOverdue => self.alert_delivery_overdue,
            AlertKind::DeliveryFailed => self.alert_delivery_failed,
            AlertKind::DestinationFailing => self.alert_destination_failing,
        }
    }

    /// Why something was refused.
    pub const fn rejection_reason(&self, reason: RejectionReason) -> &'static str {
        match reason {
            RejectionReason::SignatureMismatch => self.reason_mismatch,
            RejectionReason::TimestampTooOld => self.reason_old,
            RejectionReason::TimestampTooNew => self.reason_new,
            RejectionReason::MissingHeader => self.reason_missing,
            RejectionReason::MalformedHeader => self.reason_malformed,
            RejectionReason::BadSecret => self.reason_secret,
        }
    }

    /// A state of a resend of many.
    pub const fn resend_state(&self, state: ResendState) -> &'static str {
        match state {
            ResendState::Running => self.running,
            ResendState::Done => self.done,
            ResendState::Cancelled => self.cancelled,
        }
    }

    /// A state of a run.
    pub const fn run_state(&self, state: RunState) -> &'static str {
        match state {
            RunState::Running => self.running,
            RunState::Done => self.done,
            RunState::Failed => self.run_failed,
        }
    }

    /// A kind of difference, and what to do about it.
    pub const fn difference_kind(&self, kind: DifferenceKind) -> (&'static str, &'static str) {
        match kind {
            DifferenceKind::Missing => (self.kind_missing, self.next_missing),
            DifferenceKind::Status => (self.kind_status, self.next_status),
            DifferenceKind::Undelivered => (self.kind_undelivered, self.next_undelivered),
        }
    }

    /// Why an attempt failed, in one word and in some more. The word of a status is its number.
    pub const fn attempt_error(&self, error: AttemptError) -> (&'static str, &'static str) {
        match error {
            AttemptError::Status => ("", ""),
            AttemptError::Timeout => (self.error_timeout, self.error_timeout_more),
            AttemptError::Dns => (self.error_dns, self.error_dns_more),
            AttemptError::Connect => (self.error_connect, self.error_connect_more),
            AttemptError::Tls => (self.error_tls, self.error_tls_more),
            AttemptError::Blocked => (self.error_blocked, self.error_blocked_more),
            AttemptError::Redirect => (self.error_redirect, self.error_redirect_more),
            AttemptError::Body => (self.error_body, self.error_body_more),
        }
    }

    /// What came of a last attempt, in a sentence; empty: nothing is known of it.
    pub fn last_said(&self, status: Option<u16>, error: Option<AttemptError>) -> String {
        let said = match error {
            Some(AttemptError::Status) | None => {
                let said = |status: u16| fill(self.last_said_status, &[&status.to_string()]);
                return status.map(said).unwrap_or_default();
            }
            Some(AttemptError::Timeout) => self.last_said_timeout,
            Some(AttemptError::Dns) => self.last_said_dns,
            Some(AttemptError::Connect) => self.last_said_connect,
            Some(AttemptError::Tls) => self.last_said_tls,
            Some(AttemptError::Blocked) => self.last_said_blocked,
            Some(AttemptError::Redirect) => self.last_said_redirect,
            Some(AttemptError::Body) => self.last_said_body,
        };
        said.to_owned()
    }

    /// What a body has that its text does not show.
    pub const fn body_oddity(&self, oddity: BodyOddity) -> &'static str {
        match oddity {
            BodyOddity::ByteOrderMark => self.body_bom,
            BodyOddity::CrLf => self.body_crlf,
            BodyOddity::NotUtf8 => self.body_not_utf8,
            BodyOddity::NotText => self.body_not_text,
        }
    }

    /// In which order signatures stand.
    pub const fn signature_order(&self, order: SignatureOrder) -> &'static str {
        match order {
            SignatureOrder::NewestFirst => self.order_newest_first,
            SignatureOrder::OldestFirst => self.order_oldest_first,
        }
    }

    /// A broken rule.
    pub const fn rule(&self, rule: Rule) -> &'static str {
        match rule {
            Rule::Required => self.rule_required,
            Rule::TooLong => self.rule_too_long,
            Rule::Malformed => self.rule_malformed,
            Rule::OutOfRange => self.rule_out_of_range,
            Rule::WhiteSpace => self.rule_white_space,
            Rule::NotBefore => self.rule_not_before,
            Rule::Repeated => self.rule_repeated,
            Rule::NotTheName => self.rule_not_the_name,
            Rule::ApiKey => self.rule_api_key,
            Rule::VersionPrefix => self.rule_version_prefix,
            Rule::TooShort => self.rule_too_short,
            Rule::Undecodable => self.rule_undecodable,
            Rule::OfAnotherSource => self.rule_of_another,
            Rule::OutOfReach { .. } => self.rule_out_of_reach,
            Rule::ListsNoEvents => self.rule_lists_no_events,
        }
    }

    /// What is wrong with a field, in a sentence.
    pub fn field_error(&self, error: &FieldError) -> String {
        let rule = self.rule(error.rule);
        match (error.rule, &error.source) {
            (Rule::OutOfReach { days }, _) => fill(rule, &[&days.to_string()]),
            (_, Some(source)) => fill(rule, &[source.as_str()]),
            (_, None) => rule.to_owned(),
        }
    }

    /// Why something was not done, in a sentence.
    pub fn error(&self, error: &AppError) -> String {
        match error {
            AppError::LoginRequired => self.error_login.to_owned(),
            AppError::Forbidden => self.error_forbidden.to_owned(),
            AppError::NotFound => self.not_found.to_owned(),
            AppError::Invalid(fields) => match fields.first() {
                Some(field) => self.field_error(field),
                None => self.error_invalid.to_owned(),
            },
            AppError::OnlyActiveSecret => self.error_only_secret.to_owned(),
            AppError::NothingToUndo => self.error_nothing_to_undo.to_owned(),
            AppError::NoEnd => self.error_no_end.to_owned(),
            AppError::TooManySecrets => self.error_too_many_secrets.to_owned(),
            AppError::AlreadyExists => self.error_exists.to_owned(),
            AppError::AlreadyRunning => self.error_running.to_owned(),
            AppError::NoCredentials => self.error_credentials.to_owned(),
            AppError::EventHeld => self.error_event_held.to_owned(),
            AppError::Unavailable => self.error_unavailable.to_owned(),
            AppError::Transport => self.error_transport.to_owned(),
            AppError::Internal => self.error_internal.to_owned(),
        }
    }

    /// A count with its noun: one text for 1, another with the number for all others.
    pub fn counted(&self, count: i64, one: &str, many: &str) -> String {
        if count == 1 { one.to_owned() } else { fill(many, &[&group_digits(count)]) }
    }
}
