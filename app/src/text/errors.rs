//! Errors, and rules of form fields.

texts! {
    page_title { en: "The page could not be read", es: "No se ha podido leer la página" }
    event_held {
        en: "This event waits to be released. Release it first: it goes to its destinations then.",
        es: "Este evento espera a que se libere. Libérelo primero: entonces va a sus destinos.",
    }
    unavailable {
        en: "The database does not answer. Webhooks are still received when it does; your filters are kept.",
        es: "La base de datos no contesta. Los filtros se conservan.",
    }
    transport {
        en: "The server could not be reached. Check the connection.",
        es: "No se ha podido llegar al servidor. Revisar la conexión.",
    }
    internal {
        en: "Something broke here; it is in the server’s log. Webhooks are still received and delivered.",
        es: "Algo ha fallado aquí; está en el registro del servidor. Los webhooks se siguen recibiendo y entregando.",
    }
    forbidden_title { en: "Not for your role", es: "No es para su rol" }
    forbidden { en: "Ask an admin for a larger role.", es: "Pedir a un administrador un rol mayor." }
    login_title { en: "Logged out", es: "Sesión cerrada" }
    login {
        en: "The session has ended. Log in to go on here.",
        es: "La sesión ha terminado. Entrar para seguir aquí.",
    }
    not_found_title { en: "There is nothing here", es: "Aquí no hay nada" }
    not_found {
        en: "The address may be wrong, or what was here is older than what is kept.",
        es: "La dirección puede estar mal, o lo que había es más antiguo de lo que se guarda.",
    }
    only_secret {
        en: "This is the only active secret: it cannot be retired. Rotate first.",
        es: "Es el único secreto activo: no se puede retirar. Rotar primero.",
    }
    nothing_to_undo {
        en: "The rotation cannot be undone any more: the old secret has ended.",
        es: "La rotación ya no se puede deshacer: el secreto antiguo ha terminado.",
    }
    no_end { en: "This secret has no end to put off.", es: "Este secreto no tiene un final que aplazar." }
    too_many_secrets {
        en: "16 secrets count already, the most that can. Retire one first, or wait until one ends.",
        es: "Ya cuentan 16 secretos, el máximo. Retirar uno antes o esperar a que termine alguno.",
    }
    exists { en: "The name is taken.", es: "El nombre ya existe." }
    running {
        en: "A comparison of this source is running already.",
        es: "Ya hay una comparación de este origen en curso.",
    }
    credentials {
        en: "This source has no API credentials to compare with.",
        es: "Este origen no tiene credenciales de API para comparar.",
    }
    invalid { en: "One field needs another look.", es: "Hay que revisar un campo." }
    rule_required { en: "Fill this in.", es: "Rellenar este campo." }
    rule_too_long { en: "This is too long.", es: "Es demasiado largo." }
    rule_malformed { en: "This does not have the right form.", es: "No tiene la forma correcta." }
    rule_out_of_range { en: "This is outside what is allowed.", es: "Está fuera de lo permitido." }
    rule_white_space {
        en: "There is white space around it: paste it again.",
        es: "Tiene espacios alrededor: pegarlo otra vez.",
    }
    rule_not_before {
        en: "The beginning must be before the end.",
        es: "El principio debe ser anterior al final.",
    }
    rule_not_the_name {
        en: "That is not the name: nothing was deleted.",
        es: "Ese no es el nombre: no se eliminó nada.",
    }
    rule_repeated {
        en: "This is the same as one that is there already.",
        es: "Es igual que uno que ya existe.",
    }
    rule_api_key {
        en: "This is an API key (sk_, pk_ or rk_): it signs no webhooks. Paste the signing secret of the webhook endpoint, such as whsec_….",
        es: "Es una clave de API (sk_, pk_ o rk_): no firma webhooks. Pegue el secreto de firma del destino de webhooks, como whsec_….",
    }
    rule_version_prefix {
        en: "This begins with v1,: paste what comes after it, from whsec_ on.",
        es: "Empieza por v1,: pegue lo que viene después, desde whsec_.",
    }
    rule_too_short {
        en: "This is too short for a signing secret: paste all of what the provider shows, the beginning included.",
        es: "Es demasiado corto para un secreto de firma: pegue todo lo que muestra el proveedor, también el comienzo.",
    }
    rule_undecodable {
        en: "This cannot be read as a key: paste the secret as the provider shows it, and nothing else.",
        es: "No se puede leer como clave: pegue el secreto tal como lo muestra el proveedor, y nada más.",
    }
    rule_of_another {
        en: "The source {} has this secret. Each endpoint at a provider has its own: paste the one of this endpoint.",
        es: "El origen {} tiene este secreto. Cada destino de un proveedor tiene el suyo: pegue el de este destino.",
    }
    rule_out_of_reach {
        en: "The provider’s API lists events of the last {} days: begin later.",
        es: "La API del proveedor lista los eventos de los últimos {} días: empezar más tarde.",
    }
    rule_lists_no_events {
        en: "Only the APIs of Stripe and Paddle list events. That of Paymos does not: resend them from the dashboard of Paymos.",
        es: "Solo las API de Stripe y Paddle listan eventos. La de Paymos no: reenviarlos desde el panel de Paymos.",
    }
}
