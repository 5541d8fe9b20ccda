//! Errors, and rules of form fields.

texts! {
    page_title { en: "The page could not be loaded", es: "No se pudo cargar la página" }
    event_held {
        en: "This event is held. Release it first; it is delivered then.",
        es: "Este evento está retenido. Libérelo primero; entonces se entrega.",
    }
    unavailable {
        en: "The database does not respond. Your filters are kept.",
        es: "La base de datos no responde. Sus filtros se conservan.",
    }
    transport {
        en: "The server could not be reached. Check your connection.",
        es: "No se pudo contactar con el servidor. Revise su conexión.",
    }
    internal {
        en: "Something went wrong; see the server’s log. Webhooks are still received and delivered.",
        es: "Algo ha fallado; consulte el registro del servidor. Los webhooks se siguen recibiendo y entregando.",
    }
    forbidden_title { en: "Not allowed for your role", es: "Su rol no lo permite" }
    forbidden {
        en: "Ask an admin for a role with more permissions.",
        es: "Pida a un administrador un rol con más permisos.",
    }
    login_title { en: "Logged out", es: "Sesión cerrada" }
    login {
        en: "Your session has ended. Log in again to continue.",
        es: "Su sesión ha terminado. Vuelva a entrar para continuar.",
    }
    not_found_title { en: "Not found", es: "No encontrado" }
    not_found {
        en: "The address may be wrong, or the record is past its retention.",
        es: "La dirección puede ser incorrecta, o el registro ya no se conserva.",
    }
    only_secret {
        en: "This is the only active secret, so it cannot be retired. Rotate first.",
        es: "Es el único secreto activo, así que no se puede retirar. Rote primero.",
    }
    nothing_to_undo {
        en: "The rotation can no longer be undone: the old secret has expired.",
        es: "La rotación ya no se puede deshacer: el secreto antiguo ha caducado.",
    }
    no_end { en: "This secret has no expiry to extend.", es: "Este secreto no tiene caducidad que aplazar." }
    too_many_secrets {
        en: "16 secrets are already active, the maximum. Retire one first, or wait until one expires.",
        es: "Ya hay 16 secretos activos, el máximo. Retire uno antes o espere a que caduque alguno.",
    }
    exists { en: "This name is already in use.", es: "Este nombre ya está en uso." }
    running {
        en: "A reconciliation of this source is already running.",
        es: "Ya hay una conciliación de este origen en curso.",
    }
    credentials { en: "This source has no API credentials.", es: "Este origen no tiene credenciales de API." }
    invalid { en: "Check the highlighted field.", es: "Revise el campo marcado." }
    rule_required { en: "This field is required.", es: "Este campo es obligatorio." }
    rule_too_long { en: "This is too long.", es: "Es demasiado largo." }
    rule_malformed { en: "The format is not valid.", es: "El formato no es válido." }
    rule_out_of_range { en: "The value is out of range.", es: "El valor está fuera de lo permitido." }
    rule_white_space {
        en: "There is white space around it: paste it again.",
        es: "Tiene espacios alrededor: péguelo otra vez.",
    }
    rule_not_before { en: "The start must be before the end.", es: "El comienzo debe ser anterior al final." }
    rule_not_the_name {
        en: "The name does not match: nothing was deleted.",
        es: "El nombre no coincide: no se eliminó nada.",
    }
    rule_repeated { en: "This value is already in use.", es: "Este valor ya existe." }
    rule_api_key {
        en: "This is an API key (sk_, pk_ or rk_), and API keys do not sign webhooks. Paste the signing secret of the webhook endpoint, such as whsec_….",
        es: "Es una clave de API (sk_, pk_ o rk_), y esas claves no firman webhooks. Pegue el secreto de firma del endpoint, como whsec_….",
    }
    rule_version_prefix {
        en: "Remove v1, at the beginning: paste from whsec_ on.",
        es: "Quite v1, del principio: pegue desde whsec_.",
    }
    rule_too_short {
        en: "Too short for a signing secret: paste the whole value that the provider shows.",
        es: "Demasiado corto para un secreto de firma: pegue el valor completo que muestra el proveedor.",
    }
    rule_undecodable {
        en: "This is not a valid key: paste the secret exactly as the provider shows it.",
        es: "No es una clave válida: pegue el secreto tal como lo muestra el proveedor.",
    }
    rule_of_another {
        en: "The source {} already has this secret. Each endpoint at a provider has its own: paste the one of this endpoint.",
        es: "El origen {} ya tiene este secreto. Cada endpoint de un proveedor tiene el suyo: pegue el de este endpoint.",
    }
    rule_out_of_reach {
        en: "The provider’s API lists events of the last {} days: choose a later start.",
        es: "La API del proveedor lista los eventos de los últimos {} días: elija un comienzo posterior.",
    }
    rule_lists_no_events {
        en: "Only Stripe and Paddle list events in their APIs. For Paymos, resend them from its dashboard.",
        es: "Solo Stripe y Paddle listan eventos en su API. En Paymos, reenvíelos desde su panel.",
    }
}
