//! The drawing of a ladder.

texts! {
    on_hold { en: "on hold", es: "en espera" }
    next { en: "Attempt {} of {} is next", es: "Sigue el intento {} de {}" }
    failed { en: "All {} attempts failed", es: "Los {} intentos fallaron" }
    delivered_at { en: "Delivered on attempt {} of {}", es: "Entregada en el intento {} de {}" }
    delivered_hand { en: "Delivered by a manual resend", es: "Entregada con un reenvío manual" }
    held { en: "On hold after {} of {} attempts", es: "En espera tras {} de {} intentos" }
    cancelled { en: "Cancelled after {} of {} attempts", es: "Cancelada tras {} de {} intentos" }
    at { en: "at {}", es: "a las {}" }
    failed_left { en: "{} failed, {} left", es: "{} fallidos, quedan {}" }
    rung_failed { en: "Failed", es: "Fallido" }
    rung_delivered { en: "Delivered", es: "Entregado" }
    rung_next { en: "Next", es: "Siguiente" }
    rung_todo { en: "Scheduled", es: "Programado" }
    rung_manual { en: "Manual, outside the schedule", es: "Manual, fuera del programa" }
    by_hand { en: "manual", es: "manual" }
    log_scale { en: "Logarithmic time scale", es: "Escala de tiempo logarítmica" }
    first { en: "first", es: "primero" }
    waiting { en: "waiting", es: "en espera" }
    running { en: "running", es: "en curso" }
}
