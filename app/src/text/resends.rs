//! Resends: the dialog, the selection and the pages of bulk resends.

texts! {
    resend_delivery { en: "Resend delivery {}", es: "Reenviar la entrega {}" }
    resend { en: "Resend", es: "Reenviar" }
    resend_more { en: "Resend…", es: "Reenviar…" }
    resend_title { en: "Resend delivery {} to {}", es: "Reenviar la entrega {} a {}" }
    resend_help {
        en: "One attempt, now, with the same event id. It uses up no rung: if it fails, the ladder is as it was; if it succeeds, the rest of the ladder is dropped.",
        es: "Un intento, ahora, con el mismo id de evento. No gasta ningún peldaño: si falla, la escalera queda como estaba; si sale bien, se descarta el resto.",
    }
    reason_hint {
        en: "For example: the shop is mended, case 4471",
        es: "Por ejemplo: la tienda está arreglada, caso 4471",
    }
    resend_now { en: "Resend now", es: "Reenviar ahora" }
    queued { en: "Resend queued", es: "Reenvío en cola" }
    queued_help {
        en: "Delivery {} gets one attempt by hand now.",
        es: "La entrega {} recibe ahora un intento a mano.",
    }
    resent_taken { en: "Resent: {} took it", es: "Reenviada: {} la aceptó" }
    resent_failed { en: "Resent, and it failed: {}", es: "Reenviada, y falló: {}" }
    title { en: "Resends", es: "Reenvíos" }
    lede {
        en: "One attempt by hand for each delivery that matched when the resend started.",
        es: "Un intento a mano por cada entrega que coincidía al empezar el reenvío.",
    }
    none { en: "No resends of many yet", es: "Aún no hay reenvíos de muchas" }
    none_help {
        en: "Filter the deliveries, then resend all that match.",
        es: "Filtrar las entregas y reenviar todas las que coinciden.",
    }
    detail_title { en: "Resend {}", es: "Reenvío {}" }
    many { en: "Resend many", es: "Reenviar muchas" }
    many_help {
        en: "Each gets one attempt, now and outside its ladder: if it fails, the delivery stays as it was. It runs in the background and leaves room for new deliveries.",
        es: "Cada una recibe un intento, ahora y fuera de su escalera: si falla, la entrega queda como estaba. Va en segundo plano y deja sitio a las entregas nuevas.",
    }
    would_resend_one { en: "1 delivery will be resent", es: "Se reenviará 1 entrega" }
    would_resend_many { en: "{} deliveries will be resent", es: "Se reenviarán {} entregas" }
    nothing_to_resend { en: "No delivery matches any more.", es: "Ya no coincide ninguna entrega." }
    every_delivery { en: "Every delivery", es: "Todas las entregas" }
    pace { en: "Attempts a second, at most", es: "Intentos por segundo, como máximo" }
    pace_hint {
        en: "Blank: as fast as the destinations take them.",
        es: "En blanco: tan rápido como los acepten los destinos.",
    }
    resend_count_now { en: "Resend {} now", es: "Reenviar {} ahora" }
    resend_matching { en: "Resend all that match…", es: "Reenviar las que coinciden…" }
    resend_selected { en: "Resend selected…", es: "Reenviar las elegidas…" }
    selected_one { en: "1 selected", es: "1 elegida" }
    selected_many { en: "{} selected", es: "{} elegidas" }
    select_delivery { en: "Select delivery {}", es: "Elegir la entrega {}" }
    select_rows { en: "Select every row", es: "Elegir todas las filas" }
    clear_selection { en: "Clear", es: "Quitar" }
    matching { en: "Matched", es: "Coincidían" }
    taken { en: "taken", es: "aceptadas" }
    not_taken { en: "not taken", es: "no aceptadas" }
    still_waiting { en: "still waiting", es: "a la espera" }
    not_run { en: "did not run", es: "sin intentar" }
    done_of { en: "{} of {} done", es: "{} de {} hechas" }
    reason_short { en: "Reason", es: "Motivo" }
    what_matched { en: "What it was asked for", es: "Lo que se pidió" }
    running_help {
        en: "It goes on by itself; this page may be closed.",
        es: "Sigue solo; esta página se puede cerrar.",
    }
    done_help { en: "Each delivery had its attempt.", es: "Cada entrega tuvo su intento." }
    cancelled_help {
        en: "What had not run was taken back; what had, stands.",
        es: "Lo que faltaba se retiró; lo hecho queda.",
    }
    cancel { en: "Cancel what has not run", es: "Cancelar lo que falta" }
    cancel_help { en: "What has run stands.", es: "Lo hecho queda." }
    waits_paused { en: "waits: paused", es: "espera: en pausa" }
    by_destination { en: "By destination", es: "Por destino" }
    by_type { en: "By type", es: "Por tipo" }
}
