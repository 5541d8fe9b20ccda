//! The words of the forms for sources. The server alone says them, so that the browser need not carry them.

use app::text::Lang;

/// What the forms say; `{}` stands for what is filled in.
pub(super) struct Words {
    pub new: &'static str,
    pub make: &'static str,
    pub edit: &'static str,
    pub save: &'static str,
    pub delete: &'static str,
    pub delete_title: &'static str,
    pub delete_help: &'static str,
    pub confirm: &'static str,
    pub name: &'static str,
    pub name_hint: &'static str,
    pub sender: &'static str,
    pub providers: &'static str,
    pub presets: &'static str,
    pub other: &'static str,
    pub mode: &'static str,
    pub live: &'static str,
    pub test: &'static str,
    pub mode_hint: &'static str,
    pub secret: &'static str,
    pub secret_hint: &'static str,
    pub tolerance: &'static str,
    pub tolerance_hint: &'static str,
    pub more: &'static str,
    pub settings: &'static str,
    pub settings_hint: &'static str,
    pub api: &'static str,
    pub api_url: &'static str,
    pub api_url_hint: &'static str,
    pub api_key: &'static str,
    pub api_secret: &'static str,
    pub api_secret_hint: &'static str,
    pub set_up: &'static str,
}

pub(super) const fn words(lang: Lang) -> &'static Words {
    match lang {
        Lang::En => &EN,
        Lang::Es => &ES,
    }
}

const EN: Words = Words {
    new: "New source",
    make: "Make the source",
    edit: "Change {}",
    save: "Save the changes",
    delete: "Delete {}",
    delete_title: "Delete {}?",
    delete_help: "{} answers 404 from then on, and its secrets end. Its events, deliveries and rejections stay to be seen, \
                  and what waits is still delivered. The name is free again. This cannot be undone.",
    confirm: "Type {} to go on",
    name: "Name",
    name_hint: "Small letters, digits and dashes; it cannot change. It receives at {} and its name: many providers want \
                that address before they show the secret.",
    sender: "Sender",
    providers: "Providers",
    presets: "Senders that sign with HMAC",
    other: "Another sender",
    mode: "Mode",
    live: "live",
    test: "test",
    mode_hint: "An event of the other mode waits until a person releases it.",
    secret: "Signing secret",
    secret_hint: "All of what the provider shows for this endpoint. Sealed as soon as it is sent, and never shown again.",
    tolerance: "Clock tolerance, seconds",
    tolerance_hint: "How far the time in a signature may be off, either way. Blank: no limit.",
    more: "More: how it signs, where its ids are",
    settings: "Settings, as JSON",
    settings_hint: "For a sender that is not known by name, such as {\"header\": \"x-signature\"}, and \"event\" for all of \
                    them: the members of hmac and standard_webhooks in the API.",
    api: "API credentials, to reconcile",
    api_url: "Address of the API",
    api_url_hint: "All three blank: it is not reconciled any more.",
    api_key: "API key",
    api_secret: "API secret",
    api_secret_hint: "Blank: it stays as it is, unless the address or the key changes.",
    set_up: "Set up the sender of {}",
};

const ES: Words = Words {
    new: "Origen nuevo",
    make: "Crear el origen",
    edit: "Cambiar {}",
    save: "Guardar los cambios",
    delete: "Eliminar {}",
    delete_title: "¿Eliminar {}?",
    delete_help: "{} responde 404 desde entonces y sus secretos terminan. Sus eventos, entregas y rechazos quedan a la \
                  vista, y lo que espera aún se entrega. El nombre queda libre. No se puede deshacer.",
    confirm: "Escribir {} para seguir",
    name: "Nombre",
    name_hint: "Minúsculas, cifras y guiones; no se puede cambiar. Recibe en {} y su nombre: muchos proveedores piden esa \
                dirección antes de mostrar el secreto.",
    sender: "Emisor",
    providers: "Proveedores",
    presets: "Emisores que firman con HMAC",
    other: "Otro emisor",
    mode: "Modo",
    live: "producción",
    test: "pruebas",
    mode_hint: "Un evento del otro modo espera hasta que una persona lo libere.",
    secret: "Secreto de firma",
    secret_hint: "Todo lo que el proveedor muestra para este endpoint. Se sella en cuanto se envía y no se vuelve a mostrar.",
    tolerance: "Tolerancia del reloj, segundos",
    tolerance_hint: "Cuánto puede desviarse la hora de una firma, en ambos sentidos. En blanco: sin límite.",
    more: "Más: cómo firma, dónde están sus ids",
    settings: "Ajustes, en JSON",
    settings_hint: "Para un emisor sin nombre conocido, como {\"header\": \"x-signature\"}, y \"event\" para todos: los \
                    miembros de hmac y standard_webhooks en la API.",
    api: "Credenciales de API, para conciliar",
    api_url: "Dirección de la API",
    api_url_hint: "Los tres en blanco: ya no se concilia.",
    api_key: "Clave de API",
    api_secret: "Secreto de API",
    api_secret_hint: "En blanco: queda como está, salvo que cambien la dirección o la clave.",
    set_up: "Configurar el emisor de {}",
};
