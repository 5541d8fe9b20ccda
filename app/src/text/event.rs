//! The page of one event.

texts! {
    kind { en: "Kind", es: "Clase" }
    version { en: "Version", es: "Versión" }
    mode { en: "The provider says", es: "El proveedor dice" }
    title { en: "Event {}", es: "Evento {}" }
    from { en: "from", es: "de" }
    deliveries { en: "Where it went", es: "Adónde fue" }
    no_deliveries { en: "No destination takes this type", es: "Ningún destino acepta este tipo" }
    no_deliveries_help {
        en: "It is stored all the same. A destination added later gets what arrives after it.",
        es: "Queda guardado igualmente. Un destino nuevo recibe lo que llegue después.",
    }
    not_processed { en: "Its deliveries are being made.", es: "Se están creando sus entregas." }
    arrival_stored { en: "stored", es: "guardado" }
    arrival_duplicate { en: "duplicate: changed nothing", es: "duplicado: no cambió nada" }
    arrival_differs { en: "the same id with other bytes", es: "el mismo id con otros bytes" }
    arrivals_more { en: "and {} more", es: "y {} más" }
    story_title { en: "What happened to it", es: "Qué le pasó" }
    story_order { en: "In the provider’s order of time", es: "En el orden de tiempo del proveedor" }
    story_all { en: "All its events", es: "Todos sus eventos" }
    story_this { en: "this event", es: "este evento" }
    story_late { en: "Out of order", es: "Fuera de orden" }
    story_late_help {
        en: "“Out of order” arrived after something that happened later. A receiver that lets the last arrival win would end with an old status; it can compare Acuse-Occurred-At instead.",
        es: "«Fuera de orden» llegó después de algo que ocurrió más tarde. Un receptor que deja ganar a lo último que llega acabaría con un estado viejo; puede comparar Acuse-Occurred-At.",
    }
    story_arrived { en: "Arrived {}", es: "Llegó {}" }
    story_arrived_later { en: "Arrived {}, {} later", es: "Llegó {}, {} después" }
    held { en: "This event waits for a person", es: "Este evento espera a una persona" }
    held_test {
        en: "It says that it is a test, but {} carries real money. It is stored, and goes nowhere until somebody releases it.",
        es: "Dice que es una prueba, pero {} lleva dinero real. Está guardado y no va a ningún sitio hasta que alguien lo libere.",
    }
    held_live {
        en: "It says that it is about real money, but {} is for tests. It is stored, and goes nowhere until somebody releases it.",
        es: "Dice que es dinero real, pero {} es de pruebas. Está guardado y no va a ningún sitio hasta que alguien lo libere.",
    }
    released { en: "Released {} by {}.", es: "Liberado {} por {}." }
    release_more { en: "Release…", es: "Liberar…" }
    release_title { en: "Release event {}?", es: "¿Liberar el evento {}?" }
    release_help {
        en: "It goes to its destinations now, like any other event of {}. This cannot be undone.",
        es: "Va ahora a sus destinos, como cualquier otro evento de {}. No se puede deshacer.",
    }
    release_reason_hint {
        en: "For example: a test of the live endpoint, agreed with the shop",
        es: "Por ejemplo: una prueba del destino real, acordada con la tienda",
    }
    release_now { en: "Release now", es: "Liberar ahora" }
    released_done { en: "Released", es: "Liberado" }
    deliver_to { en: "Deliver to", es: "Entregar a" }
    deliver_more { en: "Deliver…", es: "Entregar…" }
    deliver_now { en: "Deliver now", es: "Entregar ahora" }
    deliver_help {
        en: "It goes on the ladder of that destination, whatever it subscribes to. One that had it already gets one attempt by hand.",
        es: "Entra en la escalera de ese destino, se suscriba a lo que se suscriba. Al que ya la tuvo se le hace un intento a mano.",
    }
}
