//! The page of one event.

texts! {
    kind { en: "Kind", es: "Clase" }
    version { en: "Version", es: "Versión" }
    mode { en: "Mode", es: "Modo" }
    title { en: "Event {}", es: "Evento {}" }
    from { en: "from", es: "de" }
    deliveries { en: "Deliveries", es: "Entregas" }
    no_deliveries {
        en: "No destination subscribes to this type",
        es: "Ningún destino está suscrito a este tipo",
    }
    no_deliveries_help {
        en: "The event is stored. New destinations get only events that arrive later.",
        es: "El evento está guardado. Un destino nuevo solo recibe los eventos posteriores.",
    }
    not_processed { en: "Its deliveries are being created.", es: "Se están creando sus entregas." }
    arrival_stored { en: "stored", es: "guardado" }
    arrival_duplicate { en: "duplicate: no effect", es: "duplicado: sin efecto" }
    arrival_differs { en: "same id, different content", es: "mismo id, otro contenido" }
    arrivals_more { en: "and {} more", es: "y {} más" }
    story_title { en: "Payment timeline", es: "Cronología del pago" }
    story_order { en: "In order of the provider’s time", es: "Según la hora del proveedor" }
    story_all { en: "All events of the payment", es: "Todos los eventos del pago" }
    story_this { en: "this event", es: "este evento" }
    story_late { en: "Out of order", es: "Fuera de orden" }
    story_late_help {
        en: "“Out of order” arrived after a later event of the same payment. A receiver that keeps the last status it receives would end with an old one; it can compare Acuse-Occurred-At instead.",
        es: "«Fuera de orden» llegó después de un evento posterior del mismo pago. Un receptor que guarde el último estado recibido acabaría con uno antiguo; puede comparar Acuse-Occurred-At.",
    }
    story_arrived { en: "Arrived {}", es: "Llegó {}" }
    story_arrived_later { en: "Arrived {}, {} later", es: "Llegó {}, {} después" }
    held { en: "Held until released", es: "Retenido hasta que se libere" }
    held_test {
        en: "It is marked as a test, but {} is a live source. It is stored, but not delivered until someone releases it.",
        es: "Está marcado como prueba, pero {} es un origen de producción. Está guardado, pero no se entrega hasta que alguien lo libere.",
    }
    held_live {
        en: "It is marked as live, but {} is a test source. It is stored, but not delivered until someone releases it.",
        es: "Está marcado como real, pero {} es un origen de pruebas. Está guardado, pero no se entrega hasta que alguien lo libere.",
    }
    released { en: "Released {} by {}.", es: "Liberado {} por {}." }
    release_more { en: "Release…", es: "Liberar…" }
    release_title { en: "Release event {}?", es: "¿Liberar el evento {}?" }
    release_help {
        en: "It is delivered now, like any other event of {}. This cannot be undone.",
        es: "Se entrega ahora, como cualquier otro evento de {}. No se puede deshacer.",
    }
    release_reason_hint {
        en: "For example: a test of the live endpoint, agreed with the shop",
        es: "Por ejemplo: prueba del endpoint real, acordada con la tienda",
    }
    release_now { en: "Release now", es: "Liberar ahora" }
    released_done { en: "Released", es: "Liberado" }
    deliver_to { en: "Deliver to", es: "Entregar a" }
    deliver_more { en: "Deliver…", es: "Entregar…" }
    deliver_now { en: "Deliver now", es: "Entregar ahora" }
    deliver_help {
        en: "It is sent with the schedule of that destination, whatever its subscription. A destination that already has the event gets one manual attempt.",
        es: "Se envía con los intentos de ese destino, sea cual sea su suscripción. Un destino que ya tiene el evento recibe un intento manual.",
    }
}
