//! Resends: the dialog, the selection and the pages of bulk resends.

texts! {
    resend_delivery { en: "Resend delivery {}", es: "Reenviar la entrega {}" }
    resend { en: "Resend", es: "Reenviar" }
    resend_more { en: "Resend…", es: "Reenviar…" }
    resend_title { en: "Resend delivery {} to {}", es: "Reenviar la entrega {} a {}" }
    resend_help {
        en: "One attempt, now, with the same event id, outside the schedule. If it fails, the scheduled attempts stay as they are; if it succeeds, the rest are cancelled.",
        es: "Un intento, ahora, con el mismo id de evento y fuera del programa. Si falla, los intentos programados no cambian; si sale bien, se cancelan los restantes.",
    }
    reason_hint {
        en: "For example: the shop is fixed, case 4471",
        es: "Por ejemplo: la tienda está corregida, caso 4471",
    }
    resend_now { en: "Resend now", es: "Reenviar ahora" }
    queued { en: "Resend queued", es: "Reenvío en cola" }
    queued_help {
        en: "Delivery {} gets one manual attempt now.",
        es: "La entrega {} recibe ahora un intento manual.",
    }
    resent_taken { en: "Resent: delivered to {}", es: "Reenviada: entregada a {}" }
    resent_failed { en: "Resent, but it failed: {}", es: "Reenviada, pero falló: {}" }
    title { en: "Resends", es: "Reenvíos" }
    lede {
        en: "Each resend makes one manual attempt for every delivery that matched when it started.",
        es: "Cada reenvío hace un intento manual por cada entrega que coincidía al empezar.",
    }
    none { en: "No bulk resends yet", es: "Aún no hay reenvíos masivos" }
    none_help {
        en: "Filter the deliveries, then resend all that match.",
        es: "Filtre las entregas y reenvíe todas las que coinciden.",
    }
    detail_title { en: "Resend {}", es: "Reenvío {}" }
    many { en: "Bulk resend", es: "Reenvío masivo" }
    many_help {
        en: "Each delivery gets one attempt, now and outside its schedule. If it fails, the delivery stays as it was. The resend runs in the background and leaves room for new deliveries.",
        es: "Cada entrega recibe un intento, ahora y fuera de su programa. Si falla, la entrega queda como estaba. El reenvío va en segundo plano y deja sitio a las entregas nuevas.",
    }
    would_resend_one { en: "1 delivery will be resent", es: "Se reenviará 1 entrega" }
    would_resend_many { en: "{} deliveries will be resent", es: "Se reenviarán {} entregas" }
    nothing_to_resend { en: "No deliveries match any more.", es: "Ya no coincide ninguna entrega." }
    every_delivery { en: "All deliveries", es: "Todas las entregas" }
    pace { en: "Attempts per second, at most", es: "Intentos por segundo, como máximo" }
    pace_hint {
        en: "Blank: as fast as the destinations accept them.",
        es: "En blanco: tan rápido como los acepten los destinos.",
    }
    resend_count_now { en: "Resend {} now", es: "Reenviar {} ahora" }
    resend_matching { en: "Resend all that match…", es: "Reenviar las que coinciden…" }
    resend_selected { en: "Resend selected…", es: "Reenviar las elegidas…" }
    selected_one { en: "1 selected", es: "1 elegida" }
    selected_many { en: "{} selected", es: "{} elegidas" }
    select_delivery { en: "Select delivery {}", es: "Elegir la entrega {}" }
    select_rows { en: "Select all rows", es: "Elegir todas las filas" }
    clear_selection { en: "Clear", es: "Quitar" }
    matching { en: "Matched", es: "Coincidían" }
    taken { en: "delivered", es: "entregadas" }
    not_taken { en: "failed", es: "fallidas" }
    still_waiting { en: "waiting", es: "en espera" }
    not_run { en: "cancelled", es: "canceladas" }
    done_of { en: "{} of {} done", es: "{} de {} hechas" }
    reason_short { en: "Reason", es: "Motivo" }
    what_matched { en: "Filter", es: "Filtro" }
    running_help {
        en: "It continues in the background; you can close this page.",
        es: "Sigue en segundo plano; puede cerrar esta página.",
    }
    done_help { en: "Every delivery had its attempt.", es: "Todas las entregas tuvieron su intento." }
    cancelled_help {
        en: "The remaining attempts were cancelled; the completed ones stand.",
        es: "Los intentos restantes se cancelaron; los hechos se mantienen.",
    }
    cancel { en: "Cancel the rest", es: "Cancelar el resto" }
    cancel_help { en: "Completed attempts stand.", es: "Los intentos hechos se mantienen." }
    waits_paused { en: "waiting: paused", es: "espera: en pausa" }
    by_destination { en: "By destination", es: "Por destino" }
    by_type { en: "By type", es: "Por tipo" }
}
