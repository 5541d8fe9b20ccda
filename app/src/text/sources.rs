//! The sources page.

texts! {
    title { en: "Sources", es: "Orígenes" }
    lede {
        en: "Who sends webhooks, where each of them posts to, and what came in the last 24 hours.",
        es: "Quién envía webhooks, a qué dirección, y qué ha llegado en las últimas 24 horas.",
    }
    none { en: "No sources yet", es: "Aún no hay orígenes" }
    none_help {
        en: "Make one for each endpoint at a provider. It has a receive URL: enter that at the provider, and every webhook is kept from then on.",
        es: "Crear uno por cada endpoint de un proveedor. Tiene una URL de recepción: introducirla en el proveedor y desde entonces se guarda cada webhook.",
    }
    new { en: "New source", es: "Origen nuevo" }
    receive_url { en: "Receive URL", es: "URL de recepción" }
    setup_more { en: "Set up…", es: "Configurar…" }
    last_webhook { en: "Last webhook", es: "Último webhook" }
    stored_in_a_day { en: "24 hours", es: "24 horas" }
    rejected_in_a_day { en: "Rejected", es: "Rechazados" }
    hint_held { en: "{} wait for a person", es: "{} esperan a una persona" }
    hint_unrouted { en: "{} without destination", es: "{} sin destino" }
    no_secret { en: "No secret", es: "Sin secreto" }
    no_secret_help { en: "It refuses everything.", es: "Lo rechaza todo." }
    secrets_one { en: "1 active", es: "1 activo" }
    secrets_many { en: "{} active", es: "{} activos" }
    first_expires { en: "the old one ends {}", es: "el antiguo termina {}" }
}
