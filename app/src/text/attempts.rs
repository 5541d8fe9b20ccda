//! Attempts: their errors, and what is known of each.

texts! {
    error_timeout { en: "timeout", es: "sin respuesta" }
    error_timeout_more { en: "no answer in time", es: "no respondió a tiempo" }
    error_dns { en: "dns", es: "dns" }
    error_dns_more { en: "no such host", es: "no existe el servidor" }
    error_connect { en: "connect", es: "conexión" }
    error_connect_more { en: "no connection", es: "sin conexión" }
    error_tls { en: "tls", es: "tls" }
    error_tls_more { en: "handshake failed", es: "falló la negociación" }
    error_blocked { en: "blocked", es: "bloqueado" }
    error_blocked_more { en: "private address", es: "dirección privada" }
    error_redirect { en: "redirect", es: "redirección" }
    error_redirect_more { en: "not followed", es: "no se sigue" }
    error_body { en: "cut off", es: "cortado" }
    error_body_more { en: "during the answer", es: "durante la respuesta" }
    last_status { en: "The last answer was {}.", es: "La última respuesta fue {}." }
    last_timeout { en: "The last attempt timed out.", es: "El último intento no tuvo respuesta a tiempo." }
    last_dns { en: "Its host name cannot be resolved.", es: "No se encuentra su nombre de servidor." }
    last_connect { en: "The connection failed.", es: "No se pudo conectar." }
    last_tls { en: "The TLS handshake failed.", es: "Falló la negociación TLS." }
    last_blocked {
        en: "Its address is private and not allowed.",
        es: "Su dirección es privada y no está permitida.",
    }
    last_redirect {
        en: "It answered with a redirect, and redirects are not followed.",
        es: "Respondió con una redirección, y no se siguen.",
    }
    last_body {
        en: "The connection broke during the answer.",
        es: "La conexión se cortó durante la respuesta.",
    }
    by_hand { en: "Manual", es: "Manual" }
    none { en: "No attempt yet", es: "Aún no hay intentos" }
    none_help {
        en: "The first attempt runs when the delivery is due.",
        es: "El primer intento se hace a la hora prevista.",
    }
    title { en: "Attempt {}", es: "Intento {}" }
    what_we_sent { en: "Request", es: "Petición" }
    what_it_answered { en: "Answer from {}", es: "Respuesta de {}" }
    nothing_answered { en: "No answer.", es: "Sin respuesta." }
    answer_truncated {
        en: "Only the beginning of the answer is stored.",
        es: "Solo se guarda el principio de la respuesta.",
    }
    may_repeat {
        en: "A server stopped during this attempt, so it may have been sent twice, with the same event id.",
        es: "Un servidor se detuvo durante este intento: puede haberse enviado dos veces, con el mismo id de evento.",
    }
    ok { en: "{} accepted it.", es: "{} la aceptó." }
    status_5 {
        en: "{} received the request and failed while handling it.",
        es: "{} recibió la petición y falló al procesarla.",
    }
    status_4 { en: "{} rejected the request.", es: "{} rechazó la petición." }
    status_other { en: "Only 2xx counts as success.", es: "Solo un 2xx cuenta como éxito." }
    timeout { en: "No answer in time", es: "Sin respuesta a tiempo" }
    timeout_help {
        en: "{} may still have processed the event: every attempt has the same event id.",
        es: "Puede que {} haya procesado el evento: todos los intentos llevan el mismo id.",
    }
    dns { en: "Host name not found", es: "No se encuentra el servidor" }
    dns_help { en: "Check the URL of {}, or its DNS.", es: "Revise la URL de {} o su DNS." }
    connect { en: "Connection failed", es: "Sin conexión" }
    connect_help {
        en: "{} does not accept connections at this address.",
        es: "{} no acepta conexiones en esta dirección.",
    }
    tls { en: "TLS handshake failed", es: "Falló la negociación TLS" }
    tls_help {
        en: "Check that the certificate of {} is valid.",
        es: "Compruebe que el certificado de {} es válido.",
    }
    blocked { en: "Address not allowed", es: "Dirección no permitida" }
    blocked_help {
        en: "{} has a private address. The operator can allow its network.",
        es: "{} tiene una dirección privada. El operador puede permitir su red.",
    }
    redirect { en: "Redirect", es: "Redirección" }
    redirect_help {
        en: "Redirects are not followed: set the final address in {}.",
        es: "Las redirecciones no se siguen: ponga la dirección final en {}.",
    }
    body { en: "Answer cut off", es: "Respuesta cortada" }
    body_help {
        en: "{} may still have processed the event: every attempt has the same event id.",
        es: "Puede que {} haya procesado el evento: todos los intentos llevan el mismo id.",
    }
    manual {
        en: "This attempt was manual, so the schedule is unchanged.",
        es: "Este intento fue manual: los intentos programados no cambian.",
    }
    waiting { en: "It runs in a moment.", es: "Se hará en un momento." }
    step_connect { en: "connection", es: "conexión" }
    step_reused { en: "connection reused", es: "conexión reutilizada" }
    step_first_byte { en: "first byte", es: "primer byte" }
}
