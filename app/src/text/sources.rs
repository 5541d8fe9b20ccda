//! The sources page.

texts! {
    title { en: "Sources", es: "Orígenes" }
    lede {
        en: "Who sends webhooks, where they are received, and what arrived in the last 24 hours.",
        es: "Quién envía webhooks, dónde se reciben y qué ha llegado en las últimas 24 horas.",
    }
    none { en: "No sources yet", es: "Aún no hay orígenes" }
    none_help {
        en: "Create one for each endpoint at a provider, and enter its receive URL there. Every webhook is stored from then on.",
        es: "Cree uno por cada endpoint de un proveedor e introduzca allí su URL de recepción. Desde entonces se guarda cada webhook.",
    }
    new { en: "New source", es: "Origen nuevo" }
    receive_url { en: "Receive URL", es: "URL de recepción" }
    setup_more { en: "Set up…", es: "Configurar…" }
    last_webhook { en: "Last webhook", es: "Último webhook" }
    stored_in_a_day { en: "24 hours", es: "24 horas" }
    rejected_in_a_day { en: "Rejected", es: "Rechazados" }
    hint_held { en: "{} held", es: "{} retenidos" }
    hint_unrouted { en: "{} without a destination", es: "{} sin destino" }
    no_secret { en: "No secret", es: "Sin secreto" }
    no_secret_help { en: "All webhooks are rejected.", es: "Se rechazan todos los webhooks." }
    secrets_one { en: "1 active", es: "1 activo" }
    secrets_many { en: "{} active", es: "{} activos" }
    first_expires { en: "the old one expires {}", es: "el antiguo caduca {}" }
}
