//! The list of events.

texts! {
    title { en: "Events", es: "Eventos" }
    lede {
        en: "Events received from providers, each stored once, newest first.",
        es: "Eventos recibidos de los proveedores, cada uno guardado una vez, lo más reciente primero.",
    }
    filter { en: "Filter events", es: "Filtrar eventos" }
    begins_with { en: "Starts with", es: "Empieza por" }
    begins_hint { en: "Event id, type or payment", es: "Id de evento, tipo o pago" }
    caption { en: "Events, newest first", es: "Eventos, lo más nuevo primero" }
    occurred { en: "Occurred", es: "Ocurrió" }
    arrivals { en: "Arrivals", es: "Llegadas" }
    received { en: "Received", es: "Recibido" }
    processed { en: "Processed", es: "Procesado" }
    processed_after { en: "after {}", es: "tras {}" }
    not_processed { en: "not yet", es: "todavía no" }
    none { en: "No events yet", es: "Aún no hay eventos" }
    none_help {
        en: "The first webhook of a source appears here within a second.",
        es: "El primer webhook de un origen aparece aquí en un segundo.",
    }
    no_match { en: "No events match", es: "Ningún evento coincide" }
    deliveries_of_payment { en: "Deliveries of this payment", es: "Entregas de este pago" }
    delivery { en: "Delivery {}", es: "Entrega {}" }
    held_only { en: "Held only", es: "Solo retenidos" }
    unrouted { en: "No destination", es: "Sin destino" }
    unrouted_only { en: "Without destination only", es: "Solo sin destino" }
}
