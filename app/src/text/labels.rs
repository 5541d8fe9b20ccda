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
        self.time.months.split(' ').nth(usize::from(month).saturating_sub(1)).unwrap_or_default()
    }

    /// A day of the week, short; 0 is Monday.
    pub fn weekday(&self, day: usize) -> &'static str {
        self.time.weekdays.split(' ').nth(day).unwrap_or_default()
    }

    /// A role.
    pub const fn role(&self, role: Role) -> &'static str {
        match role {
            Role::Viewer => self.states.role_viewer,
            Role::Support => self.states.role_support,
            Role::Admin => self.states.role_admin,
        }
    }

    /// A state of a delivery.
    pub const fn delivery_state(&self, state: DeliveryState) -> &'static str {
        match state {
            DeliveryState::Pending => self.states.pending,
            DeliveryState::Failed => self.states.failed,
            DeliveryState::Held => self.states.held,
            DeliveryState::Delivered => self.states.delivered,
            DeliveryState::Cancelled => self.states.cancelled,
        }
    }

    /// A state of a difference.
    pub const fn difference_state(&self, state: DifferenceState) -> &'static str {
        match state {
            DifferenceState::Open => self.states.open,
            DifferenceState::Acknowledged => self.states.acknowledged,
            DifferenceState::Resolved => self.states.resolved,
        }
    }

    /// A state of an alert.
    pub const fn alert_state(&self, state: AlertState) -> &'static str {
        match state {
            AlertState::Open => self.states.open,
            AlertState::Acknowledged => self.states.acknowledged,
            AlertState::Resolved => self.states.resolved,
        }
    }

    /// What an alert is about.
    pub const fn alert_kind(&self, kind: AlertKind) -> &'static str {
        match kind {
            AlertKind::AlteredRepeat => self.alerts.altered_repeat,
            AlertKind::ModeMismatch => self.alerts.mode_mismatch,
            AlertKind::RejectionJump => self.alerts.rejection_spike,
            AlertKind::DeliveryOverdue => self.alerts.delivery_overdue,
            AlertKind::DeliveryFailed => self.alerts.delivery_failed,
            AlertKind::DestinationFailing => self.alerts.destination_failing,
        }
    }

    /// Why something was refused.
    pub const fn rejection_reason(&self, reason: RejectionReason) -> &'static str {
        match reason {
            RejectionReason::SignatureMismatch => self.rejections.reason_mismatch,
            RejectionReason::TimestampTooOld => self.rejections.reason_old,
            RejectionReason::TimestampTooNew => self.rejections.reason_new,
            RejectionReason::MissingHeader => self.rejections.reason_missing,
            RejectionReason::MalformedHeader => self.rejections.reason_malformed,
            RejectionReason::BadSecret => self.rejections.reason_secret,
        }
    }

    /// A state of a resend of many.
    pub const fn resend_state(&self, state: ResendState) -> &'static str {
        match state {
            ResendState::Running => self.states.running,
            ResendState::Done => self.states.done,
            ResendState::Cancelled => self.states.cancelled,
        }
    }

    /// A state of a run.
    pub const fn run_state(&self, state: RunState) -> &'static str {
        match state {
            RunState::Running => self.states.running,
            RunState::Done => self.states.done,
            RunState::Failed => self.states.run_failed,
        }
    }

    /// A kind of difference, and what to do about it.
    pub const fn difference_kind(&self, kind: DifferenceKind) -> (&'static str, &'static str) {
        match kind {
            DifferenceKind::Missing => (self.reconciliation.kind_missing, self.reconciliation.next_missing),
            DifferenceKind::Status => (self.reconciliation.kind_status, self.reconciliation.next_status),
            DifferenceKind::Undelivered => {
                (self.reconciliation.kind_undelivered, self.reconciliation.next_undelivered)
            }
        }
    }

    /// Why an attempt failed, in one word and in some more. The word of a status is its number.
    pub const fn attempt_error(&self, error: AttemptError) -> (&'static str, &'static str) {
        match error {
            AttemptError::Status => ("", ""),
            AttemptError::Timeout => (self.attempts.error_timeout, self.attempts.error_timeout_more),
            AttemptError::Dns => (self.attempts.error_dns, self.attempts.error_dns_more),
            AttemptError::Connect => (self.attempts.error_connect, self.attempts.error_connect_more),
            AttemptError::Tls => (self.attempts.error_tls, self.attempts.error_tls_more),
            AttemptError::Blocked => (self.attempts.error_blocked, self.attempts.error_blocked_more),
            AttemptError::Redirect => (self.attempts.error_redirect, self.attempts.error_redirect_more),
            AttemptError::Body => (self.attempts.error_body, self.attempts.error_body_more),
        }
    }

    /// What came of a last attempt, in a sentence; empty: nothing is known of it.
    pub fn describe_last_answer(&self, status: Option<u16>, error: Option<AttemptError>) -> String {
        let said = match error {
            Some(AttemptError::Status) | None => {
                let said = |status: u16| fill(self.attempts.last_status, &[&status.to_string()]);
                return status.map(said).unwrap_or_default();
            }
            Some(AttemptError::Timeout) => self.attempts.last_timeout,
            Some(AttemptError::Dns) => self.attempts.last_dns,
            Some(AttemptError::Connect) => self.attempts.last_connect,
            Some(AttemptError::Tls) => self.attempts.last_tls,
            Some(AttemptError::Blocked) => self.attempts.last_blocked,
            Some(AttemptError::Redirect) => self.attempts.last_redirect,
            Some(AttemptError::Body) => self.attempts.last_body,
        };
        said.to_owned()
    }

    /// What a body has that its text does not show.
    pub const fn body_oddity(&self, oddity: BodyOddity) -> &'static str {
        match oddity {
            BodyOddity::ByteOrderMark => self.payload.bom,
            BodyOddity::CrLf => self.payload.crlf,
            BodyOddity::NotUtf8 => self.payload.not_utf8,
            BodyOddity::NotText => self.payload.not_text,
        }
    }

    /// In which order signatures stand.
    pub const fn signature_order(&self, order: SignatureOrder) -> &'static str {
        match order {
            SignatureOrder::NewestFirst => self.destinations.order_newest_first,
            SignatureOrder::OldestFirst => self.destinations.order_oldest_first,
        }
    }

    /// A broken rule.
    pub const fn rule(&self, rule: Rule) -> &'static str {
        match rule {
            Rule::Required => self.errors.rule_required,
            Rule::TooLong => self.errors.rule_too_long,
            Rule::Malformed => self.errors.rule_malformed,
            Rule::OutOfRange => self.errors.rule_out_of_range,
            Rule::WhiteSpace => self.errors.rule_white_space,
            Rule::NotBefore => self.errors.rule_not_before,
            Rule::Repeated => self.errors.rule_repeated,
            Rule::NotTheName => self.errors.rule_not_the_name,
            Rule::ApiKey => self.errors.rule_api_key,
            Rule::VersionPrefix => self.errors.rule_version_prefix,
            Rule::TooShort => self.errors.rule_too_short,
            Rule::Undecodable => self.errors.rule_undecodable,
            Rule::OfAnotherSource => self.errors.rule_of_another,
            Rule::OutOfReach { .. } => self.errors.rule_out_of_reach,
            Rule::ListsNoEvents => self.errors.rule_lists_no_events,
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
            AppError::LoginRequired => self.errors.login.to_owned(),
            AppError::Forbidden => self.errors.forbidden.to_owned(),
            AppError::NotFound => self.errors.not_found.to_owned(),
            AppError::Invalid(fields) => match fields.first() {
                Some(field) => self.field_error(field),
                None => self.errors.invalid.to_owned(),
            },
            AppError::OnlyActiveSecret => self.errors.only_secret.to_owned(),
            AppError::NothingToUndo => self.errors.nothing_to_undo.to_owned(),
            AppError::NoEnd => self.errors.no_end.to_owned(),
            AppError::TooManySecrets => self.errors.too_many_secrets.to_owned(),
            AppError::AlreadyExists => self.errors.exists.to_owned(),
            AppError::AlreadyRunning => self.errors.running.to_owned(),
            AppError::NoCredentials => self.errors.credentials.to_owned(),
            AppError::EventHeld => self.errors.event_held.to_owned(),
            AppError::Unavailable => self.errors.unavailable.to_owned(),
            AppError::Transport => self.errors.transport.to_owned(),
            AppError::Internal => self.errors.internal.to_owned(),
        }
    }

    /// A count with its noun: one text for 1, another with the number for all others.
    pub fn counted(&self, count: i64, one: &str, many: &str) -> String {
        if count == 1 { one.to_owned() } else { fill(many, &[&group_digits(count)]) }
    }
}
