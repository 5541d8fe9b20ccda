//! Where to click at the other end of a rotation. It travels with the page, so that the browser's half need not hold it.

use super::Holder;
use crate::text::Lang;

/// The three steps for a provider, or for a destination's server.
pub fn steps(lang: Lang, holder: Holder, scheme: &str, slug: &str) -> Vec<String> {
    let steps = match (holder, lang) {
        (Holder::Destination, Lang::En) => DESTINATION_EN,
        (Holder::Destination, Lang::Es) => DESTINATION_ES,
        (Holder::Source, Lang::En) => source_en(scheme),
        (Holder::Source, Lang::Es) => source_es(scheme),
    };
    steps.iter().map(|step| step.replace("{}", slug)).collect()
}

/// The three steps at a provider whose source is new.
pub fn first_steps(lang: Lang, scheme: &str, receive_url: &str) -> Vec<String> {
    let steps = match lang {
        Lang::En => first_en(scheme),
        Lang::Es => first_es(scheme),
    };
    steps.iter().map(|step| step.replace("{}", receive_url)).collect()
}

fn first_en(scheme: &str) -> [&'static str; 3] {
    match scheme {
        "paymos" => [
            "At Paymos, open the webhooks of the project, live or sandbox as the mode of the source says, and add the \
             endpoint {}.",
            "Choose the categories: invoices, withdrawals, payment channels. Save it, and compare its signing secret \
             with the one that you pasted here: the secrets page shows its fingerprint.",
            "Pay a test invoice: its first webhook shows here within seconds.",
        ],
        "paddle" => [
            "At Paddle, open Developer tools, then Notifications, and make a destination of the type URL: {}.",
            "Choose its events, save it, and copy its secret key, which begins with pdl_ntfset_. When it is another one \
             than you pasted here, rotate to it on the secrets page.",
            "Open the simulator at Paddle and send an event: it shows here within seconds.",
        ],
        "stripe" => [
            "At Stripe, open Developers, then Webhooks, and add an endpoint with the URL {}.",
            "Choose its events, and reveal its signing secret, which begins with whsec_. When it is another one than \
             you pasted here, rotate to it on the secrets page.",
            "Send a test event, or make a test payment: it shows here within seconds.",
        ],
        "standard_webhooks" => [
            "At the sender, add an endpoint with the URL {}.",
            "Copy its signing secret, which begins with whsec_. When it is another one than you pasted here, rotate to \
             it on the secrets page.",
            "Send an example event: it shows here within seconds.",
        ],
        _ => [
            "At the sender, find where webhooks are set up, and enter the URL {}.",
            "Give it the secret that you pasted here, or, when the sender makes one of its own, rotate to that on the \
             secrets page.",
            "Send a test event. When it is refused, it is under Rejections, with the cause in words.",
        ],
    }
}

fn first_es(scheme: &str) -> [&'static str; 3] {
    match scheme {
        "paymos" => [
            "En Paymos, abrir los webhooks del proyecto, de producción o de pruebas según el modo del origen, y añadir \
             el endpoint {}.",
            "Elegir las categorías: facturas, retiradas, canales de pago. Guardarlo y comparar su secreto de firma con \
             el que se pegó aquí: la página de secretos muestra su huella.",
            "Pagar una factura de prueba: su primer webhook aparece aquí en segundos.",
        ],
        "paddle" => [
            "En Paddle, abrir Developer tools y después Notifications, y crear un destino de tipo URL: {}.",
            "Elegir sus eventos, guardarlo y copiar su clave secreta, que empieza por pdl_ntfset_. Si no es la que se \
             pegó aquí, rotar a ella en la página de secretos.",
            "Abrir el simulador de Paddle y enviar un evento: aparece aquí en segundos.",
        ],
        "stripe" => [
            "En Stripe, abrir Developers, después Webhooks, y añadir un endpoint con la URL {}.",
            "Elegir sus eventos y mostrar su secreto de firma, que empieza por whsec_. Si no es el que se pegó aquí, \
             rotar a él en la página de secretos.",
            "Enviar un evento de prueba o hacer un pago de prueba: aparece aquí en segundos.",
        ],
        "standard_webhooks" => [
            "En el emisor, añadir un endpoint con la URL {}.",
            "Copiar su secreto de firma, que empieza por whsec_. Si no es el que se pegó aquí, rotar a él en la página \
             de secretos.",
            "Enviar un evento de ejemplo: aparece aquí en segundos.",
        ],
        _ => [
            "En el emisor, buscar dónde se configuran los webhooks e introducir la URL {}.",
            "Darle el secreto que se pegó aquí o, si el emisor crea uno propio, rotar a ese en la página de secretos.",
            "Enviar un evento de prueba. Si se rechaza, está en Rechazos, con la causa en palabras.",
        ],
    }
}

const DESTINATION_EN: [&str; 3] = [
    "In the server behind {}, save the new secret beside the old one: it must accept a delivery when any of the \
     signatures in the header is right.",
    "Here, send the test: it shows whether the server reads both signatures, and whether it has the new secret.",
    "When the test says so, retire the old secret here and delete it on the server.",
];

const DESTINATION_ES: [&str; 3] = [
    "En el servidor de {}, guarda el secreto nuevo junto al antiguo: debe aceptar una entrega cuando cualquiera de las \
     firmas de la cabecera sea correcta.",
    "Aquí, envía la prueba: muestra si el servidor lee ambas firmas y si tiene el secreto nuevo.",
    "Cuando la prueba lo diga, retira aquí el secreto antiguo y bórralo en el servidor.",
];

fn source_en(scheme: &str) -> [&'static str; 3] {
    match scheme {
        "paymos" => [
            "At Paymos, open the webhooks of the project, and the endpoint that ends in /webhooks/{}. Live and sandbox \
             have endpoints and secrets of their own.",
            "Rotate its signing secret there. For 24 hours Paymos signs each webhook with both.",
            "Paste the new secret here within that time. The first match shows within a minute of the next webhook.",
        ],
        "paddle" => [
            "At Paddle, open Developer tools, then Notifications. Sandbox and live are separate accounts.",
            "Open the destination that ends in /webhooks/{}, and replace its secret key.",
            "Paste the new key, which begins with pdl_ntfset_, here at once: Paddle does not say how long it signs with \
             the old one.",
        ],
        "stripe" => [
            "At Stripe, open Developers, then Webhooks, and the endpoint that ends in /webhooks/{}.",
            "Roll its signing secret, and let the old one expire in 24 hours: until then Stripe signs with both.",
            "Reveal the new secret, which begins with whsec_, and paste it here.",
        ],
        "standard_webhooks" => [
            "At the sender, open the settings of the endpoint that ends in /webhooks/{}.",
            "Rotate its secret. Senders of this kind sign with both for 24 hours.",
            "Copy the new secret, which begins with whsec_, and paste it here.",
        ],
        _ => [
            "At the sender, find where the secret for the URL that ends in /webhooks/{} is kept.",
            "Make a new secret there, but do not let the sender use it yet, if it lets you choose.",
            "Paste it here first: from then on both are taken. Then let the sender use it.",
        ],
    }
}

fn source_es(scheme: &str) -> [&'static str; 3] {
    match scheme {
        "paymos" => [
            "En Paymos, abre los webhooks del proyecto y el endpoint que termina en /webhooks/{}. Producción y pruebas \
             tienen endpoints y secretos propios.",
            "Rota allí su secreto de firma. Durante 24 horas Paymos firma cada webhook con ambos.",
            "Pega aquí el secreto nuevo en ese plazo. La primera coincidencia aparece en menos de un minuto tras el \
             siguiente webhook.",
        ],
        "paddle" => [
            "En Paddle, abre Developer tools y después Notifications. Pruebas y producción son cuentas distintas.",
            "Abre el destino que termina en /webhooks/{} y sustituye su clave secreta.",
            "Pega aquí enseguida la clave nueva, que empieza por pdl_ntfset_: Paddle no dice cuánto tiempo firma con la \
             antigua.",
        ],
        "stripe" => [
            "En Stripe, abre Developers, después Webhooks, y el endpoint que termina en /webhooks/{}.",
            "Rota (Roll) su secreto de firma y deja que el antiguo caduque en 24 horas: hasta entonces Stripe firma con \
             ambos.",
            "Muestra el secreto nuevo, que empieza por whsec_, y pégalo aquí.",
        ],
        "standard_webhooks" => [
            "En el emisor, abre los ajustes del endpoint que termina en /webhooks/{}.",
            "Rota su secreto. Los emisores de este tipo firman con ambos durante 24 horas.",
            "Copia el secreto nuevo, que empieza por whsec_, y pégalo aquí.",
        ],
        _ => [
            "En el emisor, busca dónde se guarda el secreto de la URL que termina en /webhooks/{}.",
            "Crea allí un secreto nuevo, pero que el emisor no lo use todavía, si te deja elegir.",
            "Pégalo aquí primero: desde entonces se aceptan ambos. Después, haz que el emisor lo use.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Provider;

    #[test]
    fn every_provider_has_three_steps_that_name_the_url() {
        for lang in [Lang::En, Lang::Es] {
            let all = Provider::ALL.iter().map(|provider| (Holder::Source, provider.as_str()));
            for (holder, scheme) in all.chain([(Holder::Destination, "paymos")]) {
                let steps = steps(lang, holder, scheme, "shop-eu");
                assert_eq!(steps.len(), 3);
                let text = steps.concat();
                assert!(text.contains("shop-eu") && !text.contains("{}"), "{text}");
                assert!(!text.contains("  "), "{text}");
            }
            for provider in Provider::ALL {
                let text = first_steps(lang, provider.as_str(), "https://acuse.test/webhooks/x").concat();
                assert!(text.contains("https://acuse.test/webhooks/x") && !text.contains("{}"), "{text}");
            }
        }
    }
}
