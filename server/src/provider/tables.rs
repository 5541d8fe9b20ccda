//! Where each provider writes what its event is.

use app::types::Provider;
use serde_json::{Value, json};

use super::field_paths::FieldPaths;
use crate::domain::signature::Scheme;

/// Of a provider.
pub(super) fn of(provider: Provider) -> FieldPaths {
    FieldPaths::of(&match provider {
        Provider::Stripe => stripe(),
        Provider::Paddle => paddle(),
        Provider::Paymos | Provider::StandardWebhooks | Provider::Hmac => most(),
    })
}

/// Of a preset. Where no id is named, an event is known by its bytes: nothing in the body tells two events about one
/// thing apart.
pub(super) fn of_preset(preset: Scheme) -> FieldPaths {
    FieldPaths::of(&match preset {
        Scheme::Stripe => stripe(),
        Scheme::Paddle => paddle(),
        Scheme::Paymos | Scheme::StandardWebhooks | Scheme::StandardWebhooksRawKey | Scheme::Svix => most(),
        Scheme::Github => json!({
            "id": "header:x-github-delivery",
            "type": "header:x-github-event",
            "status": "/action",
        }),
        Scheme::Shopify => shopify(),
        Scheme::Square => json!({
            "id": "/event_id",
            "type": "/type",
            "occurred_at": "/created_at",
            "resource": "/data/id",
            "kind": "/data/type",
            "status": ["/data/object/payment/status", "/data/object/refund/status"],
        }),
        Scheme::AdyenStandard => json!({
            "id": [["/pspReference", "/eventCode", "/success"]],
            "type": "/eventCode",
            "occurred_at": "/eventDate",
            "resource": ["/originalReference", "/pspReference"],
            "status": "/success",
            "test": {"at": "whole:/live", "is": "false"},
        }),
        Scheme::AdyenPayload => json!({
            "type": "/type",
            "occurred_at": ["/timestamp", "/data/creationDate"],
            "resource": "/data/id",
            "status": "/data/status",
            "test": {"at": "/environment", "is": "test"},
        }),
        Scheme::Razorpay => razorpay(),
        Scheme::CoinbaseCommerce => json!({
            "id": "/event/id",
            "type": "/event/type",
            "occurred_at": "/event/created_at",
            "resource": ["/event/data/id", "/event/data/code"],
            "version": "/event/api_version",
        }),
        Scheme::MercadoPago => json!({
            "id": "/id",
            "type": ["/action", "/type"],
            "occurred_at": "/date_created",
            "resource": "query:data.id",
            "kind": "/type",
            "version": "/api_version",
            "test": {"at": "/live_mode", "is": "false"},
        }),
        Scheme::Mollie => json!({
            "id": [["/id", "/event_type"], "/id"],
            "type": ["/type", "/event_type"],
            "occurred_at": "/createdAt",
            "resource": "/entityId",
        }),
        Scheme::Paystack => json!({
            "type": "/event",
            "occurred_at": ["/data/updated_at", "/data/paid_at", "/data/created_at"],
            "resource": "/data/id",
            "status": "/data/status",
            "test": {"at": "/data/domain", "is": "test"},
        }),
        Scheme::FlutterwaveStatic | Scheme::FlutterwaveHmac => json!({
            "id": "/webhook_id",
            "type": ["/event", "/type"],
            "occurred_at": ["/timestamp", "/data/created_at"],
            "resource": "/data/id",
            "status": "/data/status",
        }),
        Scheme::CheckoutCom => json!({
            "id": "/id",
            "type": "/type",
            "occurred_at": "/created_on",
            "resource": "/data/id",
            "version": "/version",
        }),
    })
}

/// The names that most senders use.
fn most() -> Value {
    json!({
        "id": ["/event_id", "/id"],
        "type": ["/event_type", "/type"],
        "occurred_at": ["/occurred_at", "/timestamp", "/created"],
        "resource": "/data/id",
        "status": "/data/status",
    })
}

/// Snapshots and thin events.
fn stripe() -> Value {
    json!({
        "id": "/id",
        "type": "/type",
        "occurred_at": "/created",
        "resource": ["/data/object/id", "/related_object/id"],
        "kind": ["/data/object/object", "/related_object/type"],
        "status": "/data/object/status",
        "version": "/api_version",
        "test": {"at": "/livemode", "is": "false"},
    })
}

/// A notification's id is another one for each destination and each replay. Simulated ones have a beginning.
fn paddle() -> Value {
    json!({
        "id": "/event_id",
        "type": "/event_type",
        "occurred_at": "/occurred_at",
        "resource": "/data/id",
        "status": "/data/status",
        "test": {"at": "/notification_id", "begins": "ntfsimevt_"},
    })
}

fn shopify() -> Value {
    let either = |name: &str| json!([format!("header:x-shopify-{name}"), format!("header:shopify-{name}")]);
    json!({
        "id": ["header:x-shopify-event-id", "header:shopify-event-id", "header:x-shopify-webhook-id",
            "header:shopify-webhook-id"],
        "type": either("topic"),
        "occurred_at": either("triggered-at"),
        "resource": "/id",
        "status": ["/financial_status", "/status"],
        "version": either("api-version"),
        "test": {"at": "/test", "is": "true"},
    })
}

/// A payload holds what the event is about, and often the payment beside it.
fn razorpay() -> Value {
    let of = |member: &str| {
        let about = ["refund", "dispute", "payment", "order", "subscription", "payment_link"];
        json!(about.map(|about| format!("/payload/{about}/entity/{member}")))
    };
    json!({
        "id": "header:x-razorpay-event-id",
        "type": "/event",
        "occurred_at": "/created_at",
        "resource": of("id"),
        "kind": of("entity"),
        "status": of("status"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_read() {
        for provider in Provider::ALL {
            assert!(!of(*provider).event_type.is_empty(), "{provider}");
        }
        for preset in Scheme::ALL {
            assert!(!of_preset(*preset).event_type.is_empty(), "{preset}");
        }
    }
}
