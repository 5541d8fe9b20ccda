//! The drawing of a ladder.

texts! {
    on_hold { en: "on hold", es: "en espera" }
    next { en: "Attempt {} of {} is next", es: "Sigue el intento {} de {}" }
    failed { en: "All {} attempts failed", es: "Los {} intentos fallaron" }
    delivered_at { en: "Delivered at attempt {} of {}", es: "Entregada al intento {} de {}" }
    delivered_hand { en: "Delivered by hand", es: "Entregada a mano" }
    held { en: "On hold after {} of {} attempts", es: "En espera tras {} de {} intentos" }
    cancelled { en: "Cancelled after {} of {} attempts", es: "Cancelada tras {} de {} intentos" }
    at { en: "at {}", es: "a las {}" }
    failed_left { en: "{} failed, {} left", es: "{} fallidos, quedan {}" }
    rung_failed { en: "Failed", es: "Fallido" }
    rung_delivered { en: "Delivered", es: "Entregado" }
    rung_next { en: "Next", es: "Siguiente" }
    rung_todo { en: "To come", es: "Por venir" }
    rung_manual { en: "By hand, outside the ladder", es: "A mano, fuera de la escalera" }
    by_hand { en: "by hand", es: "a mano" }
    log_scale { en: "Time runs on a log scale", es: "El tiempo va en escala logarítmica" }
    first { en: "first", es: "primero" }
    waiting { en: "waiting", es: "en espera" }
    running { en: "running", es: "en curso" }
}
