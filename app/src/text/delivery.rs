//! The page of one delivery.

texts! {
    title { en: "Delivery {}", es: "Entrega {}" }
    to_destination { en: "to", es: "a" }
    say_untried {
        en: "{} has not been asked yet. Attempt 1 of {} is next.",
        es: "Todavía no se ha llamado a {}. Sigue el intento 1 de {}.",
    }
    say_pending {
        en: "{} has not taken it yet. {} Attempt {} of {} runs by itself {}; nothing needs doing.",
        es: "{} todavía no la ha aceptado. {} El intento {} de {} sale solo {}; no hay que hacer nada.",
    }
    say_delivered { en: "{} took it {}, at {}.", es: "{} la aceptó {}, {}." }
    say_failed {
        en: "{} did not take it at any of {} attempts. {} Nothing more happens by itself: mend the cause, then resend by hand.",
        es: "{} no la aceptó en ninguno de los {} intentos. {} No ocurrirá nada más por sí solo: arreglar la causa y reenviar a mano.",
    }
    say_held {
        en: "{} is paused. No rung is used up; this goes out when it is resumed.",
        es: "{} está en pausa. No se gasta ningún peldaño; saldrá cuando se reanude.",
    }
    say_cancelled { en: "{} was deleted before it took this.", es: "{} se eliminó antes de aceptarla." }
    say_running { en: "A resend by hand is running now.", es: "Ahora mismo hay un reenvío a mano en curso." }
    first_attempt_word { en: "the first attempt", es: "al primer intento" }
    attempt_word { en: "attempt {}", es: "al intento {}" }
    by_hand_word { en: "a resend by hand", es: "con un reenvío a mano" }
    received { en: "Received", es: "Recibida" }
    later { en: "{}, {} later", es: "{}, {} después" }
    sent { en: "Sent to {}", es: "Enviada a {}" }
    sent_never { en: "not yet", es: "todavía no" }
    sent_once { en: "once: {}", es: "1 vez: {}" }
    sent_times { en: "{} times: {}", es: "{} veces: {}" }
    next { en: "Next attempt", es: "Próximo intento" }
    last { en: "Last attempt", es: "Último intento" }
    last_value { en: "{}, then a person decides", es: "{}, después decide una persona" }
    delivered { en: "Taken", es: "Aceptada" }
    manual_short { en: "{} by hand", es: "{} a mano" }
    attempts_lede {
        en: "Newest first. Every attempt carries the same event id.",
        es: "Lo más nuevo primero. Todos los intentos llevan el mismo id de evento.",
    }
    arrivals { en: "Arrivals", es: "Llegadas" }
    arrivals_one { en: "1", es: "1" }
    arrivals_many { en: "{}, of which {} changed nothing", es: "{}, de las cuales {} no cambiaron nada" }
    url { en: "Goes to", es: "Va a" }
    all_of_event { en: "All deliveries of this event", es: "Todas las entregas de este evento" }
    event_page { en: "The event in full", es: "El evento completo" }
    who_did_what { en: "Who did what", es: "Quién hizo qué" }
    log_resent { en: "{} resent it by hand. {}", es: "{} la reenvió a mano. {}" }
    log_failed { en: "It failed: {}.", es: "Falló: {}." }
    log_taken { en: "It was taken: {}.", es: "Se aceptó: {}." }
    log_runs { en: "It runs now.", es: "Está en curso." }
    log_delivered { en: "{} took it at attempt {}.", es: "{} la aceptó al intento {}." }
    log_gave_up {
        en: "The last attempt failed. It waits for a person.",
        es: "El último intento falló. Espera a una persona.",
    }
    log_received { en: "The event arrived from {}.", es: "El evento llegó de {}." }
}
