//! The page of one delivery.

texts! {
    title { en: "Delivery {}", es: "Entrega {}" }
    to_destination { en: "to", es: "a" }
    say_untried {
        en: "Not sent to {} yet. Attempt 1 of {} is next.",
        es: "Aún no enviada a {}. Sigue el intento 1 de {}.",
    }
    say_pending {
        en: "Not delivered to {} yet. {} Attempt {} of {} runs automatically {}; no action needed.",
        es: "Aún no entregada a {}. {} El intento {} de {} se hace solo {}; no hay que hacer nada.",
    }
    say_delivered { en: "Delivered to {} {}, on {}.", es: "Entregada a {} {}, {}." }
    say_failed {
        en: "Not delivered to {} after {} attempts. {} No more attempts are scheduled: fix the cause, then resend.",
        es: "No entregada a {} tras {} intentos. {} No hay más intentos programados: corrija la causa y reenvíe.",
    }
    say_held {
        en: "{} is paused. The delivery is sent when it resumes; no attempts are used until then.",
        es: "{} está en pausa. La entrega se enviará al reanudarlo; hasta entonces no se gastan intentos.",
    }
    say_cancelled {
        en: "{} was deleted before this was delivered.",
        es: "{} se eliminó antes de esta entrega.",
    }
    say_running { en: "A manual resend is running now.", es: "Hay un reenvío manual en curso." }
    first_attempt_word { en: "the first attempt", es: "en el primer intento" }
    attempt_word { en: "attempt {}", es: "en el intento {}" }
    by_hand_word { en: "a manual resend", es: "con un reenvío manual" }
    received { en: "Received", es: "Recibida" }
    later { en: "{}, {} later", es: "{}, {} después" }
    sent { en: "Sent to {}", es: "Enviada a {}" }
    sent_never { en: "not yet", es: "todavía no" }
    sent_once { en: "once: {}", es: "1 vez: {}" }
    sent_times { en: "{} times: {}", es: "{} veces: {}" }
    next { en: "Next attempt", es: "Próximo intento" }
    last { en: "Last attempt", es: "Último intento" }
    last_value { en: "{}; after that, only manual resends", es: "{}; después, solo reenvíos manuales" }
    delivered { en: "Delivered", es: "Entregada" }
    manual_short { en: "{} (manual)", es: "{} (manual)" }
    attempts_lede {
        en: "Newest first. Every attempt has the same event id.",
        es: "Lo más reciente primero. Todos los intentos llevan el mismo id de evento.",
    }
    arrivals { en: "Arrivals", es: "Llegadas" }
    arrivals_one { en: "1", es: "1" }
    arrivals_many { en: "{}, including {} duplicates", es: "{}, de ellas {} duplicadas" }
    url { en: "URL", es: "URL" }
    all_of_event { en: "All deliveries of this event", es: "Todas las entregas de este evento" }
    event_page { en: "Open the event", es: "Abrir el evento" }
    who_did_what { en: "History", es: "Historial" }
    log_resent { en: "{} resent it. {}", es: "{} la reenvió. {}" }
    log_failed { en: "Failed: {}.", es: "Falló: {}." }
    log_taken { en: "Delivered: {}.", es: "Entregada: {}." }
    log_runs { en: "Running.", es: "En curso." }
    log_delivered { en: "Delivered to {} on attempt {}.", es: "Entregada a {} en el intento {}." }
    log_gave_up {
        en: "The last attempt failed. Resend it when the cause is fixed.",
        es: "El último intento falló. Reenvíela cuando la causa esté corregida.",
    }
    log_received { en: "Event received from {}.", es: "Evento recibido de {}." }
}
