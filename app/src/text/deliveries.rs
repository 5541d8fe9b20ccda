//! The list of deliveries.

texts! {
    title { en: "Deliveries", es: "Entregas" }
    lede {
        en: "One line for each event and destination, newest first.",
        es: "Una línea por evento y destino, lo más nuevo primero.",
    }
    views { en: "Views", es: "Vistas" }
    needs_person { en: "Needs a person", es: "Hace falta alguien" }
    overdue { en: "Overdue", es: "Con retraso" }
    overdue_only { en: "Overdue only", es: "Solo con retraso" }
    filter { en: "Filter deliveries", es: "Filtrar entregas" }
    events_from { en: "Since", es: "Desde" }
    caption { en: "Deliveries, newest first", es: "Entregas, lo más nuevo primero" }
    attempts { en: "Attempts", es: "Intentos" }
    last_answer { en: "Last answer", es: "Última respuesta" }
    next_attempt { en: "Next attempt", es: "Próximo intento" }
    none_left { en: "none left", es: "no quedan" }
    resend_manually { en: "resend by hand", es: "reenviar a mano" }
    until_resumed { en: "until resumed", es: "hasta reanudar" }
    due_now { en: "due", es: "toca ya" }
    not_tried { en: "not tried", es: "sin intentar" }
    none { en: "No deliveries yet", es: "Aún no hay entregas" }
    none_help {
        en: "Add a source and a destination, and point the provider at the receive URL. The first webhook shows here within a second.",
        es: "Añadir un origen y un destino, y dar al proveedor la URL de recepción. El primer webhook aparece aquí en un segundo.",
    }
    no_match { en: "No delivery matches", es: "Ninguna entrega coincide" }
}
