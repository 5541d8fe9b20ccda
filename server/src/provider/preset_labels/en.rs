//! English.

use super::Labels;
use crate::domain::signature::Scheme;

pub(super) const fn labels(preset: Scheme) -> Labels {
    let (setup, caution) = match preset {
        Scheme::AdyenStandard => (
            "In the Customer Area, open Developers, Webhooks and the standard webhook; under Security, generate an HMAC key. \
             Paste its hexadecimal digits.",
            None,
        ),
        Scheme::AdyenPayload => (
            "In the Customer Area, open Developers, Webhooks and this webhook; under Security, generate an HMAC key. Paste \
             its hexadecimal digits.",
            None,
        ),
        Scheme::CheckoutCom => (
            "Paste the signature key of the webhook action in your workflow. You choose it when you set the action up.",
            None,
        ),
        Scheme::CoinbaseCommerce => (
            "Open Settings, then Notifications, and show the shared secret. All endpoints of the account have the same.",
            None,
        ),
        Scheme::FlutterwaveStatic => (
            "Open Settings, then Webhooks. Choose a long secret hash there and paste the same here.",
            Some(
                "Requests carry the secret hash itself and nothing is signed: whoever sees one can write any other. Ask the \
                 API about each transaction before you act on it.",
            ),
        ),
        Scheme::FlutterwaveHmac => {
            ("Open Settings, then Webhooks. Choose a long secret hash there and paste the same here.", None)
        }
        Scheme::Github => {
            ("Open Settings, then Webhooks. Choose a long secret there and paste the same here.", None)
        }
        Scheme::MercadoPago => (
            "Open Your integrations, the application, then Webhooks. Save the URL, and reveal the secret signature.",
            Some(
                "The body is not signed, only the id in the address: fetch the payment from the API before you act on it.",
            ),
        ),
        Scheme::Mollie => (
            "Paste the signing secret of the webhook; Mollie shows it when you make one. Classic webhooks, set for each \
             payment, are not signed and are refused.",
            None,
        ),
        Scheme::Paystack => (
            "Open Settings, then API Keys & Webhooks. Paste the secret key, which begins with sk_: Paystack signs with it. \
             When it is rolled, rotate it here as well.",
            None,
        ),
        Scheme::Razorpay => (
            "Open Account & Settings, then Webhooks. Choose a secret there and paste the same here; it is not the key \
             secret of the API.",
            None,
        ),
        Scheme::Shopify => (
            "Paste the client secret of the app. Webhooks that were made in the store’s own settings are signed with \
             another key, which is shown there.",
            None,
        ),
        Scheme::Square => (
            "In the Developer Console, open the application, Webhooks, then Subscriptions. Paste the signature key of the \
             subscription. The URL there has to be the receive URL, letter for letter.",
            None,
        ),
        Scheme::Paymos
        | Scheme::Stripe
        | Scheme::Paddle
        | Scheme::StandardWebhooks
        | Scheme::StandardWebhooksRawKey
        | Scheme::Svix => ("Paste the signing secret of the endpoint.", None),
    };
    Labels { setup, caution }
}
