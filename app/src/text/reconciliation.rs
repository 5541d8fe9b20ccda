//! The reconciliation page.

texts! {
    title { en: "Reconciliation", es: "Conciliación" }
    lede {
        en: "What each provider’s records say, compared with what was received and delivered. Differences are reported, never corrected automatically.",
        es: "Lo que consta en cada proveedor, comparado con lo recibido y lo entregado. Las diferencias se muestran, nunca se corrigen solas.",
    }
    compare_now_more { en: "Reconcile now…", es: "Conciliar ahora…" }
    compare_now { en: "Reconcile now", es: "Conciliar ahora" }
    open_none { en: "No open differences", es: "No hay diferencias abiertas" }
    open_one { en: "1 open difference", es: "1 diferencia abierta" }
    open_many { en: "{} open differences", es: "{} diferencias abiertas" }
    by_kind { en: "by kind", es: "por tipo" }
    open_count { en: "Open", es: "Abiertas" }
    what_next { en: "What to do", es: "Qué hacer" }
    kind_missing { en: "Webhook never arrived", es: "El webhook no llegó" }
    kind_status { en: "Status differs", es: "El estado no coincide" }
    kind_undelivered { en: "Not delivered", es: "Sin entregar" }
    next_missing {
        en: "Ask the provider to resend it, and check which events it sends to this source. For Stripe and Paddle, run again with “Import missing events”.",
        es: "Pida al proveedor que lo reenvíe y revise qué eventos envía a este origen. Con Stripe y Paddle, repita con «Importar los eventos que faltan».",
    }
    next_status {
        en: "The provider’s status is authoritative. Ask the provider to resend the last event.",
        es: "Vale el estado del proveedor. Pídale que reenvíe el último evento.",
    }
    next_undelivered {
        en: "Fix the cause at the destination, then resend.",
        es: "Corrija la causa en el destino y reenvíe.",
    }
    differences { en: "Differences", es: "Diferencias" }
    we_have { en: "Acuse", es: "Acuse" }
    they_have { en: "Provider", es: "Proveedor" }
    nothing { en: "no record", es: "sin registro" }
    first_seen { en: "First seen", es: "Vista por primera vez" }
    next_step { en: "Next step", es: "Siguiente paso" }
    order_of { en: "Order {}", es: "Pedido {}" }
    resend { en: "Resend…", es: "Reenviar…" }
    view_event { en: "View event", es: "Ver evento" }
    acknowledge_more { en: "Acknowledge…", es: "Marcar como vista…" }
    acknowledge_title { en: "Acknowledge the difference at {}", es: "Marcar como vista la diferencia de {}" }
    acknowledge_help {
        en: "It stays in the list with your note, and resolves itself when a later run no longer finds it.",
        es: "Sigue en la lista con su nota y se resuelve sola cuando una comparación posterior ya no la encuentre.",
    }
    note { en: "Note, stored with the difference", es: "Nota, se guarda con la diferencia" }
    note_by { en: "{}: “{}”", es: "{}: «{}»" }
    note_done { en: "Acknowledged", es: "Marcada como vista" }
    gone_since { en: "Not found since {}", es: "Ya no aparece desde {}" }
    none { en: "No differences", es: "No hay diferencias" }
    none_help {
        en: "Reconcile with a provider to check that nothing is missing.",
        es: "Concilie con un proveedor para comprobar que no falta nada.",
    }
    no_match { en: "No differences match", es: "Ninguna diferencia coincide" }
    runs { en: "Runs", es: "Comparaciones" }
    runs_lede { en: "Every night, and on request", es: "Cada noche y cuando se pide" }
    no_runs { en: "No runs yet", es: "Aún no hay comparaciones" }
    no_runs_help {
        en: "The first run is tonight. You can also start one now.",
        es: "La primera se hace esta noche. También puede iniciar una ahora.",
    }
    window { en: "Period", es: "Periodo" }
    compared { en: "Compared", es: "Comparados" }
    compared_of { en: "{} of {}", es: "{} de {}" }
    found { en: "Differences", es: "Diferencias" }
    found_none { en: "none", es: "ninguna" }
    found_so_far { en: "{} so far", es: "{} hasta ahora" }
    nightly { en: "nightly", es: "nocturna" }
    compare_title { en: "Reconcile with a provider", es: "Conciliar con un proveedor" }
    compare_help {
        en: "Compares the payments created in this period, or the events of Stripe and Paddle. Nothing is changed at the provider.",
        es: "Compara los pagos creados en este periodo, o los eventos de Stripe y Paddle. No se cambia nada en el proveedor.",
    }
    backfill { en: "Import missing events", es: "Importar los eventos que faltan" }
    backfill_help {
        en: "Stripe and Paddle only: events that never arrived are imported and delivered as new ones.",
        es: "Solo Stripe y Paddle: los eventos que no llegaron se importan y se entregan como nuevos.",
    }
    backfilled { en: "{} imported", es: "{} importados" }
    no_sources { en: "No source has API credentials", es: "Ningún origen tiene credenciales de API" }
    no_sources_help {
        en: "Add API credentials to a source to reconcile it.",
        es: "Añada credenciales de API a un origen para conciliarlo.",
    }
    compare_started { en: "Reconciliation started", es: "Conciliación iniciada" }
    compare_started_help {
        en: "Follow its progress in the list below.",
        es: "Siga su progreso en la lista de abajo.",
    }
}
