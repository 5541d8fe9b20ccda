//! The list of deliveries.

texts! {
    title { en: "Deliveries", es: "Entregas" }
    lede {
        en: "One row for each event and destination, newest first.",
        es: "Una fila por evento y destino, lo más reciente primero.",
    }
    views { en: "Views", es: "Vistas" }
    needs_person { en: "Needs attention", es: "Requieren atención" }
    overdue { en: "Overdue", es: "Con retraso" }
    overdue_only { en: "Overdue only", es: "Solo con retraso" }
    filter { en: "Filter deliveries", es: "Filtrar entregas" }
    events_from { en: "Since", es: "Desde" }
    caption { en: "Deliveries, newest first", es: "Entregas, lo más nuevo primero" }
    attempts { en: "Attempts", es: "Intentos" }
    last_answer { en: "Last answer", es: "Última respuesta" }
    next_attempt { en: "Next attempt", es: "Próximo intento" }
    none_left { en: "none left", es: "no quedan" }
    resend_manually { en: "resend manually", es: "reenviar" }
    until_resumed { en: "until resumed", es: "hasta reanudar" }
    due_now { en: "due", es: "toca ya" }
    not_tried { en: "not sent yet", es: "sin enviar" }
    none { en: "No deliveries yet", es: "Aún no hay entregas" }
    none_help {
        en: "Add a source and a destination, and enter the receive URL at the provider. The first webhook appears here within a second.",
        es: "Añada un origen y un destino, e introduzca la URL de recepción en el proveedor. El primer webhook aparece aquí en un segundo.",
    }
    no_match { en: "No deliveries match", es: "Ninguna entrega coincide" }
}
