//! Spanish.

use super::Labels;
use crate::domain::signature::Scheme;

pub(super) const fn labels(preset: Scheme) -> Labels {
    let (setup, caution) = match preset {
        Scheme::AdyenStandard => (
            "En Customer Area, abra Developers, Webhooks y el webhook estándar; en Security, genere una clave HMAC. Pegue sus \
             cifras hexadecimales.",
            None,
        ),
        Scheme::AdyenPayload => (
            "En Customer Area, abra Developers, Webhooks y este webhook; en Security, genere una clave HMAC. Pegue sus cifras \
             hexadecimales.",
            None,
        ),
        Scheme::CheckoutCom => (
            "Pegue la clave de firma (signature key) de la acción de webhook de su workflow. La elige usted al crear la \
             acción.",
            None,
        ),
        Scheme::CoinbaseCommerce => (
            "Abra Settings, después Notifications, y muestre el secreto compartido. Todos los endpoints de la cuenta tienen \
             el mismo.",
            None,
        ),
        Scheme::FlutterwaveStatic => (
            "Abra Settings, después Webhooks. Elija allí un secret hash largo y pegue aquí el mismo.",
            Some(
                "Las peticiones llevan el propio secret hash y nada va firmado: quien vea una puede escribir cualquier otra. \
                 Consulte cada transacción en la API antes de actuar.",
            ),
        ),
        Scheme::FlutterwaveHmac => {
            ("Abra Settings, después Webhooks. Elija allí un secret hash largo y pegue aquí el mismo.", None)
        }
        Scheme::Github => {
            ("Abra Settings, después Webhooks. Elija allí un secreto largo y pegue aquí el mismo.", None)
        }
        Scheme::MercadoPago => (
            "Abra Tus integraciones, la aplicación y Webhooks. Guarde la URL y muestre la clave secreta.",
            Some(
                "El cuerpo no va firmado, solo el id de la dirección: obtenga el pago de la API antes de actuar.",
            ),
        ),
        Scheme::Mollie => (
            "Pegue el secreto de firma del webhook; Mollie lo muestra al crearlo. Los webhooks clásicos, que se ponen en cada \
             pago, no van firmados y se rechazan.",
            None,
        ),
        Scheme::Paystack => (
            "Abra Settings, después API Keys & Webhooks. Pegue la clave secreta, que empieza por sk_: Paystack firma con \
             ella. Cuando la cambie allí, rótela también aquí.",
            None,
        ),
        Scheme::Razorpay => (
            "Abra Account & Settings, después Webhooks. Elija allí un secreto y pegue aquí el mismo; no es el key secret de \
             la API.",
            None,
        ),
        Scheme::Shopify => (
            "Pegue el client secret de la aplicación. Los webhooks creados en los ajustes de la propia tienda se firman con \
             otra clave, que se muestra allí.",
            None,
        ),
        Scheme::Square => (
            "En Developer Console, abra la aplicación, Webhooks y Subscriptions. Pegue la clave de firma (signature key) de \
             la suscripción. La URL de allí tiene que ser la de recepción, letra por letra.",
            None,
        ),
        Scheme::Paymos
        | Scheme::Stripe
        | Scheme::Paddle
        | Scheme::StandardWebhooks
        | Scheme::StandardWebhooksRawKey
        | Scheme::Svix => ("Pegue el secreto de firma del endpoint.", None),
    };
    Labels { setup, caution }
}
