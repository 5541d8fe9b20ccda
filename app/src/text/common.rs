//! Words that several pages share.

texts! {
    you_are_here { en: "Breadcrumb", es: "Ruta" }
    cancel { en: "Cancel", es: "Cancelar" }
    close { en: "Close", es: "Cerrar" }
    copied { en: "Copied", es: "Copiado" }
    copy_of { en: "Copy {}", es: "Copiar {}" }
    action { en: "Action", es: "Acción" }
    reason { en: "Reason, for the audit log", es: "Motivo, para la auditoría" }
    reason_hint {
        en: "Up to 500 characters. No card numbers.",
        es: "Hasta 500 caracteres. Sin números de tarjeta.",
    }
    try_again { en: "Try again", es: "Reintentar" }
    by_whom { en: "by {}", es: "por {}" }
    from_whom { en: "from {}", es: "de {}" }
    event { en: "Event", es: "Evento" }
    received { en: "Received", es: "Recibida" }
    for_resource { en: "for", es: "de" }
    what_happened { en: "What happened", es: "Qué ha pasado" }
    copy_answer { en: "Copy the answer", es: "Copiar la respuesta" }
    occurred { en: "Occurred", es: "Ocurrió" }
    occurred_value { en: "{}, by the provider’s clock", es: "{}, según el reloj del proveedor" }
    status { en: "Provider status", es: "Estado del proveedor" }
    the_event { en: "The event", es: "El evento" }
    type_name { en: "Type", es: "Tipo" }
    from { en: "From", es: "De" }
    content_type { en: "Content type", es: "Tipo de contenido" }
    what_arrived { en: "What arrived", es: "Lo que llegó" }
    secret { en: "Secret", es: "Secreto" }
    acknowledge { en: "Acknowledge", es: "Marcar como vista" }
    started { en: "Started", es: "Empezó" }
    at_most_a_second { en: "at most {} per second", es: "como máximo {} por segundo" }
    at_most_at_once { en: "at most {} at once", es: "como máximo {} a la vez" }
    edit_more { en: "Edit…", es: "Editar…" }
    delete_more { en: "Delete…", es: "Eliminar…" }
    log_in { en: "Log in", es: "Entrar" }
    back_to_deliveries { en: "To the deliveries", es: "A las entregas" }
}
