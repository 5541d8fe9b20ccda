//! Why an arrival was rejected, as the dashboard and the API name it.

use app::types::RejectionReason;

use super::signature::Reason;

impl From<Reason> for RejectionReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::MissingHeader => Self::MissingHeader,
            Reason::MalformedHeader => Self::MalformedHeader,
            Reason::TimestampTooOld => Self::TimestampTooOld,
            Reason::TimestampTooNew => Self::TimestampTooNew,
            Reason::SignatureMismatch => Self::SignatureMismatch,
            Reason::BadSecret => Self::BadSecret,
        }
    }
}
