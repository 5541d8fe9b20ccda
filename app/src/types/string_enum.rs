//! The closed sets of words of the contract, each with one spelling on the wire, in SQL, in URLs and in forms.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A word that is not in its set; says which set and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{value:?} is not a {set}; accepted: {accepted}")]
pub struct UnknownValue {
    /// The name of the set.
    pub set: &'static str,
    /// What was given.
    pub value: String,
    /// The words of the set, separated by commas.
    pub accepted: String,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $set:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// Every word of the set, in the order in which people see them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word as it stands on the wire and in SQL.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        // By hand: the derive does not see the words that come out of this macro.
        #[cfg(feature = "ssr")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .enum_values(Some([$($word),+]))
                    .into()
            }
        }

        #[cfg(feature = "ssr")]
        impl utoipa::ToSchema for $name {}

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.as_str()) }
        }

        impl FromStr for $name {
            type Err = UnknownValue;
            fn from_str(value: &str) -> Result<Self, UnknownValue> {
                match value {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownValue {
                        set: $set,
                        value: value.chars().take(64).collect(),
                        accepted: [$($word),+].join(", "),
                    }),
                }
            }
        }
    };
}

words! {
    /// What became of the copy of one event for one destination.
    DeliveryState, "delivery state" {
        /// On the ladder: the deliverer moves it on when `next_attempt_at` comes.
        Pending = "pending",
        /// Every scheduled attempt failed: waits for a person.
        Failed = "failed",
        /// The destination is paused: resuming it lets it out, no rung is used up.
        Held = "held",
        /// The destination answered 2xx.
        Delivered = "delivered",
        /// The destination was deleted.
        Cancelled = "cancelled",
    }
}
words! {
    /// Why an attempt was made.
    Trigger, "trigger" {
        /// By the ladder.
        Scheduled = "scheduled",
        /// By a person: outside the ladder.
        Manual = "manual",
    }
}
words! {
    /// Why an attempt failed.
    AttemptError, "attempt error" {
        /// An answer that is not 2xx.
        Status = "status",
        /// No complete answer within the time.
        Timeout = "timeout",
        /// The name did not resolve.
        Dns = "dns",
        /// No connection.
        Connect = "connect",
        /// The certificate or the handshake is not good.
        Tls = "tls",
        /// The address is private and not allowed.
        Blocked = "blocked",
        /// A 3xx: redirects are never followed.
        Redirect = "redirect",
        /// The connection broke while answering.
        Body = "body",
    }
}
words! {
    /// Who sends the webhooks of a source.
    Provider, "provider" {
        /// Paymos.
        Paymos = "paymos",
        /// Paddle Billing.
        Paddle = "paddle",
        /// Stripe.
        Stripe = "stripe",
        /// Any sender of Standard Webhooks.
        StandardWebhooks = "standard_webhooks",
        /// Any HMAC sender, by settings.
        Hmac = "hmac",
    }
}
words! {
    /// The headers that a destination reads.
    Format, "format" {
        /// `X-Webhook-Signature`.
        Paymos = "paymos",
        /// `Stripe-Signature`.
        Stripe = "stripe",
        /// `Paddle-Signature`.
        Paddle = "paddle",
        /// `webhook-id`, `webhook-timestamp`, `webhook-signature`.
        StandardWebhooks = "standard_webhooks",
    }
}
words! {
    /// In which order a delivery carries one signature for each active secret.
    SignatureOrder, "signature order" {
        /// The newest secret's first.
        NewestFirst = "newest_first",
        /// The newest secret's last, for receivers that read only the last one.
        OldestFirst = "oldest_first",
    }
}
words! {
    /// Whether a source carries real money.
    Mode, "mode" {
        /// Real money.
        Live = "live",
        /// A provider's sandbox.
        Test = "test",
    }
}
words! {
    /// What a person or a token may do; each includes the ones before it.
    Role, "role" {
        /// Reads.
        Viewer = "viewer",
        /// Also resends, acknowledges, reconciles and rotates secrets.
        Support = "support",
        /// Also changes sources, destinations, users and tokens.
        Admin = "admin",
    }
}
words! {
    /// How a reconciliation stands.
    RunState, "run state" {
        /// Asking the provider.
        Running = "running",
        /// Compared everything in its window.
        Done = "done",
        /// Stopped by an error; what it found until then stands.
        Failed = "failed",
    }
}
words! {
    /// How a resend of many stands.
    ResendState, "resend state" {
        /// Deliveries of it wait, or their attempts run.
        Running = "running",
        /// Each had its attempt.
        Done = "done",
        /// Somebody ended it; what had run by then stands.
        Cancelled = "cancelled",
    }
}
words! {
    /// What a reconciliation found.
    DifferenceKind, "kind of difference" {
        /// They have it, no webhook came.
        Missing = "missing",
        /// Their status is not the one that we were told last.
        Status = "status",
        /// It came, and a destination never took it.
        Undelivered = "undelivered",
    }
}
words! {
    /// How a difference stands.
    DifferenceState, "state of a difference" {
        /// Nobody has looked at it.
        Open = "open",
        /// Somebody has, and left a note.
        Acknowledged = "acknowledged",
        /// A later reconciliation did not find it any more.
        Resolved = "resolved",
    }
}
words! {
    /// Why an arrival was refused.
    RejectionReason, "reason" {
        /// No signature matches these bytes and an active secret.
        SignatureMismatch = "signature_mismatch",
        /// Signed longer ago than the window allows.
        TimestampTooOld = "timestamp_too_old",
        /// Signed further in the future than the window allows.
        TimestampTooNew = "timestamp_too_new",
        /// A header that the scheme needs is not there.
        MissingHeader = "missing_header",
        /// It is there twice, or not of its form.
        MalformedHeader = "malformed_header",
        /// The source has no secret that could verify anything.
        BadSecret = "bad_secret",
    }
}
words! {
    /// What became of a refused arrival.
    ReverifyStatus, "status" {
        /// It is refused still.
        Rejected = "rejected",
        /// Verified again, it became an event.
        Stored = "stored",
        /// Verified again, it was a known event.
        Duplicate = "duplicate",
    }
}
words! {
    /// What of a refused arrival is not kept, so that it cannot be verified again.
    NotKept, "part that is not kept" {
        /// All bytes of the body: it is larger than what is kept.
        Body = "body",
        /// The header that is the secret itself.
        Token = "token",
    }
}
words! {
    /// What a body has that its text does not show.
    BodyOddity, "oddity of a body" {
        /// It begins with a byte order mark.
        ByteOrderMark = "byte_order_mark",
        /// Lines end in CR LF.
        CrLf = "cr_lf",
        /// Some of its bytes are no UTF-8.
        NotUtf8 = "not_utf8",
        /// It is no text.
        NotText = "not_text",
    }
}
words! {
    /// What an alert is about.
    AlertKind, "kind of alert" {
        /// A known event came again with other bytes. Subject: source and event id, with a slash between.
        AlteredRepeat = "altered_repeat",
        /// An event's test flag contradicts its source's mode: it waits for a person. Subject: the source.
        ModeMismatch = "mode_mismatch",
        /// A source refuses many more arrivals than it used to. Subject: the source.
        RejectionJump = "rejection_jump",
        /// Deliveries are due for more than a minute and nobody has claimed them. Subject: the destination.
        DeliveryOverdue = "delivery_overdue",
        /// Deliveries have used up their ladders. Subject: the destination. Over when none of them is failed any more.
        DeliveryFailed = "delivery_failed",
        /// Every attempt of the last quarter of an hour has failed. Subject: the destination. Over with the first success.
        DestinationFailing = "destination_failing",
    }
}
words! {
    /// How an alert stands.
    AlertState, "state of an alert" {
        /// Nobody has looked at it.
        Open = "open",
        /// Somebody has.
        Acknowledged = "acknowledged",
        /// What it warned of is over.
        Resolved = "resolved",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_itself() {
        for state in DeliveryState::ALL {
            assert_eq!(state.as_str().parse::<DeliveryState>().as_ref(), Ok(state));
        }
        for role in Role::ALL {
            assert_eq!(serde_json::to_string(role).unwrap(), format!("\"{role}\""));
        }
    }

    #[test]
    fn an_unknown_word_names_what_is_accepted() {
        let error = "done".parse::<DeliveryState>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"done\" is not a delivery state; accepted: pending, failed, held, delivered, cancelled"
        );
    }

    #[test]
    fn each_role_includes_the_one_before() {
        assert!(Role::Viewer < Role::Support && Role::Support < Role::Admin);
    }
}
