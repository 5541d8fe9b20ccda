//! The alerts page.

texts! {
    title { en: "Alerts", es: "Alertas" }
    lede {
        en: "Open issues that need attention. Alerts resolve themselves when the cause is gone.",
        es: "Problemas que requieren atención. Cada alerta se resuelve sola cuando desaparece la causa.",
    }
    filter { en: "Filter alerts", es: "Filtrar alertas" }
    caption { en: "Alerts, newest first", es: "Alertas, las más nuevas primero" }
    open_one { en: "1 open", es: "1 abierta" }
    open_many { en: "{} open", es: "{} abiertas" }
    altered_repeat {
        en: "Event received again with different content",
        es: "Evento recibido de nuevo con otro contenido",
    }
    mode_mismatch {
        en: "Events held: test and live are mixed up",
        es: "Eventos retenidos: se mezclan pruebas y producción",
    }
    rejection_spike { en: "Unusually many rejections", es: "Más rechazos de lo normal" }
    delivery_overdue { en: "Deliveries are overdue", es: "Hay entregas atrasadas" }
    delivery_failed {
        en: "Deliveries failed on every attempt",
        es: "Entregas fallidas tras todos los intentos",
    }
    destination_failing { en: "A destination is failing", es: "Un destino está fallando" }
    altered_more {
        en: "The event arrived again with different content: SHA-256 {} before, {} now. The first version is kept.",
        es: "El evento llegó de nuevo con otro contenido: SHA-256 {} antes, {} ahora. Se conserva la primera versión.",
    }
    mode_test_more {
        en: "Event {} is marked as a test, but {} is a live source. It is stored, but not delivered until someone releases it.",
        es: "El evento {} está marcado como prueba, pero {} es un origen de producción. Está guardado, pero no se entrega hasta que alguien lo libere.",
    }
    mode_live_more {
        en: "Event {} is marked as live, but {} is a test source. It is stored, but not delivered until someone releases it.",
        es: "El evento {} está marcado como real, pero {} es un origen de pruebas. Está guardado, pero no se entrega hasta que alguien lo libere.",
    }
    spike_more {
        en: "{} webhooks rejected in the last {} minutes (normally {}). Open the newest rejection to see why.",
        es: "{} webhooks rechazados en los últimos {} minutos (lo normal: {}). Abra el rechazo más reciente para ver por qué.",
    }
    overdue_one_more {
        en: "1 delivery is overdue, since {}. Check that a server is running and that its database responds.",
        es: "1 entrega con retraso, desde {}. Compruebe que hay un servidor en marcha y que su base de datos responde.",
    }
    overdue_more {
        en: "{} deliveries are overdue, the oldest since {}. Check that a server is running and that its database responds.",
        es: "{} entregas con retraso, la más antigua desde {}. Compruebe que hay un servidor en marcha y que su base de datos responde.",
    }
    failed_more {
        en: "Delivery {} failed on every attempt. {} Fix the destination, then resend.",
        es: "La entrega {} falló en todos los intentos. {} Corrija el destino y reenvíela.",
    }
    failing_more {
        en: "Every attempt since {} has failed, the last one at {}. {} Tell whoever runs it. While it is paused, deliveries keep their attempts.",
        es: "Todos los intentos desde {} han fallado, el último a las {}. {} Avise a quien lo administra. Mientras está en pausa, las entregas no gastan intentos.",
    }
    details { en: "Details", es: "Detalles" }
    since { en: "Since", es: "Desde" }
    none { en: "No alerts", es: "No hay alertas" }
    none_help { en: "Nothing needs attention.", es: "No hay nada que atender." }
    no_match { en: "No alert matches", es: "Ninguna alerta coincide" }
    acknowledge { en: "Acknowledge the alert about {}", es: "Marcar como vista la alerta sobre {}" }
    done { en: "Acknowledged", es: "Marcada como vista" }
}
