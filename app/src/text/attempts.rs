//! Attempts: their errors, and what is known of each.

texts! {
    error_timeout { en: "timeout", es: "sin respuesta" }
    error_timeout_more { en: "no answer in time", es: "no contestó a tiempo" }
    error_dns { en: "dns", es: "dns" }
    error_dns_more { en: "no such host", es: "no existe el servidor" }
    error_connect { en: "connect", es: "conexión" }
    error_connect_more { en: "no connection", es: "sin conexión" }
    error_tls { en: "tls", es: "tls" }
    error_tls_more { en: "no safe connection", es: "sin conexión segura" }
    error_blocked { en: "blocked", es: "bloqueado" }
    error_blocked_more { en: "private address", es: "dirección privada" }
    error_redirect { en: "redirect", es: "redirección" }
    error_redirect_more { en: "not followed", es: "no se sigue" }
    error_body { en: "broken off", es: "cortado" }
    error_body_more { en: "while answering", es: "mientras contestaba" }
    last_status { en: "It answered {} the last time.", es: "La última vez contestó {}." }
    last_timeout { en: "It did not answer in time.", es: "No contestó a tiempo." }
    last_dns { en: "Its name does not resolve.", es: "Su nombre no se encuentra." }
    last_connect { en: "It could not be connected to.", es: "No se pudo conectar." }
    last_tls { en: "No safe connection could be made.", es: "No se pudo hacer una conexión segura." }
    last_blocked {
        en: "Its address is private and not allowed.",
        es: "Su dirección es privada y no está permitida.",
    }
    last_redirect {
        en: "It answered with a redirect, which is never followed.",
        es: "Contestó con una redirección, que nunca se sigue.",
    }
    last_body {
        en: "The connection broke while it answered.",
        es: "La conexión se cortó mientras contestaba.",
    }
    by_hand { en: "By hand", es: "A mano" }
    none { en: "No attempt yet", es: "Aún no hay intentos" }
    none_help {
        en: "The first one runs when the delivery is due.",
        es: "El primero sale cuando toca la entrega.",
    }
    title { en: "Attempt {}", es: "Intento {}" }
    what_we_sent { en: "What we sent", es: "Lo que enviamos" }
    what_it_answered { en: "What {} answered", es: "Lo que contestó {}" }
    nothing_answered { en: "Nothing.", es: "Nada." }
    answer_truncated { en: "More came back than is kept.", es: "Llegó más de lo que se guarda." }
    may_repeat {
        en: "The process that had this attempt first ended before anything was written down: it may have been sent twice, with the same id.",
        es: "El proceso que tenía este intento terminó antes de anotar nada: puede haberse enviado dos veces, con el mismo id.",
    }
    ok { en: "{} took it.", es: "{} la aceptó." }
    status_5 {
        en: "{} took the request and failed while handling it.",
        es: "{} recibió la petición y falló al tratarla.",
    }
    status_4 { en: "{} refused the request.", es: "{} rechazó la petición." }
    status_other { en: "Anything but 2xx counts as failed.", es: "Todo lo que no sea 2xx cuenta como fallo." }
    timeout { en: "No answer in time", es: "Sin respuesta a tiempo" }
    timeout_help {
        en: "{} may still have handled the event: the id is the same at every attempt.",
        es: "{} pudo haber tratado el evento: el id es el mismo en todos los intentos.",
    }
    dns { en: "The name does not resolve", es: "El nombre no se encuentra" }
    dns_help { en: "Check the URL of {}, or its DNS.", es: "Revisar la URL de {} o su DNS." }
    connect { en: "No connection", es: "Sin conexión" }
    connect_help { en: "{} does not accept connections there.", es: "{} no acepta conexiones ahí." }
    tls { en: "No safe connection", es: "Sin conexión segura" }
    tls_help {
        en: "The certificate of {} is not valid, or the handshake failed.",
        es: "El certificado de {} no es válido o falló la negociación.",
    }
    blocked { en: "The address is not allowed", es: "Dirección no permitida" }
    blocked_help {
        en: "{} is at a private address. The operator can allow its network.",
        es: "{} está en una dirección privada. El operador puede permitir su red.",
    }
    redirect { en: "A redirect", es: "Una redirección" }
    redirect_help {
        en: "Redirects are never followed: put the final address into {}.",
        es: "Las redirecciones nunca se siguen: poner la dirección final en {}.",
    }
    body { en: "The answer broke off", es: "La respuesta se cortó" }
    body_help {
        en: "{} may still have handled the event: the id is the same at every attempt.",
        es: "{} pudo haber tratado el evento: el id es el mismo en todos los intentos.",
    }
    manual {
        en: "This attempt was by hand, so the ladder is as it was.",
        es: "Este intento fue a mano, así que la escalera queda como estaba.",
    }
    waiting { en: "It runs in a moment.", es: "Sale en un momento." }
    step_connect { en: "connection", es: "conexión" }
    step_reused { en: "connection used again", es: "conexión reutilizada" }
    step_first_byte { en: "first byte", es: "primer byte" }
}
