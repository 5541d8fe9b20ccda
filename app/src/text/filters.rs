//! The filters above lists.

texts! {
    any { en: "Any", es: "Cualquiera" }
    apply { en: "Apply", es: "Aplicar" }
    clear { en: "Clear", es: "Quitar" }
    clear_all { en: "Clear all filters", es: "Quitar todos los filtros" }
    title { en: "Filters", es: "Filtros" }
    ignored { en: "Ignored, not understood: {}", es: "Ignorado, no se entiende: {}" }
    utc_hint { en: "UTC", es: "UTC" }
    state { en: "State", es: "Estado" }
    event_type { en: "Event type", es: "Tipo de evento" }
    type_hint { en: "Any, or invoice.*", es: "Cualquiera, o invoice.*" }
    payment { en: "Payment", es: "Pago" }
    payment_hint { en: "inv_…, wdr_…", es: "inv_…, wdr_…" }
    event_id { en: "Event id", es: "Id del evento" }
    event_id_hint { en: "evt_…", es: "evt_…" }
    destination { en: "Destination", es: "Destino" }
    source { en: "Source", es: "Origen" }
    since { en: "Since", es: "Desde" }
    until { en: "Until", es: "Hasta" }
    no_match_help {
        en: "Try a longer period, or remove a filter.",
        es: "Pruebe con un periodo más largo o quite un filtro.",
    }
    any_time { en: "Any time", es: "Cualquier fecha" }
    any_state { en: "Any state", es: "Cualquier estado" }
    any_destination { en: "Any destination", es: "Cualquier destino" }
    any_source { en: "Any source", es: "Cualquier origen" }
    any_type { en: "Any type", es: "Cualquier tipo" }
    any_payment { en: "Any payment", es: "Cualquier pago" }
    any_event_id { en: "Any event id", es: "Cualquier id de evento" }
    kind { en: "Kind", es: "Tipo" }
    any_kind { en: "Any kind", es: "Cualquier tipo" }
    from_time { en: "From", es: "Desde" }
    to_time { en: "To", es: "Hasta" }
}
