//! The list of events.

texts! {
    title { en: "Events", es: "Eventos" }
    lede {
        en: "What providers told us, once each, newest first.",
        es: "Lo que contaron los proveedores, una vez cada cosa, lo más nuevo primero.",
    }
    filter { en: "Filter events", es: "Filtrar eventos" }
    begins_with { en: "Begins with", es: "Empieza por" }
    begins_hint { en: "Event id, type or payment", es: "Id de evento, tipo o pago" }
    caption { en: "Events, newest first", es: "Eventos, lo más nuevo primero" }
    occurred { en: "Occurred", es: "Ocurrió" }
    arrivals { en: "Arrivals", es: "Llegadas" }
    received { en: "Received", es: "Recibido" }
    processed { en: "Processed", es: "Tratado" }
    processed_after { en: "after {}", es: "tras {}" }
    not_processed { en: "not yet", es: "todavía no" }
    none { en: "No events yet", es: "Aún no hay eventos" }
    none_help {
        en: "The first webhook of a source shows here within a second.",
        es: "El primer webhook de un origen aparece aquí en un segundo.",
    }
    no_match { en: "No event matches", es: "Ningún evento coincide" }
    deliveries_of_payment { en: "Deliveries of this payment", es: "Entregas de este pago" }
    delivery { en: "Delivery {}", es: "Entrega {}" }
    held_only { en: "Waiting for a person only", es: "Solo los que esperan a una persona" }
    unrouted { en: "No destination", es: "Sin destino" }
    unrouted_only { en: "Without destination", es: "Sin destino" }
}
