//! The destinations page and its forms.

texts! {
    title { en: "Destinations", es: "Destinos" }
    lede {
        en: "Where deliveries go, what waits for each, and since when.",
        es: "Adónde van las entregas, qué espera en cada uno y desde cuándo.",
    }
    none { en: "No destinations yet", es: "Aún no hay destinos" }
    none_help {
        en: "Add the address of a shop, and the events of your sources are delivered to it.",
        es: "Añadir la dirección de una tienda y los eventos de los orígenes se le entregan.",
    }
    new { en: "New destination", es: "Destino nuevo" }
    create { en: "Make the destination", es: "Crear el destino" }
    save_changes { en: "Save the changes", es: "Guardar los cambios" }
    edit_title { en: "Change {}", es: "Cambiar {}" }
    pause_more { en: "Pause…", es: "Pausar…" }
    resume_more { en: "Resume…", es: "Reanudar…" }
    pause { en: "Pause {}", es: "Pausar {}" }
    pause_title { en: "Pause {}?", es: "¿Pausar {}?" }
    pause_help {
        en: "{} deliveries on their ladder are held, and so is what comes for {} from now on. No rung is used up; resuming lets them out.",
        es: "Se retienen {} entregas en su escalera y lo que llegue para {} desde ahora. No se gasta ningún peldaño; al reanudar salen.",
    }
    resume { en: "Resume {}", es: "Reanudar {}" }
    resume_title { en: "Resume {}?", es: "¿Reanudar {}?" }
    resume_help {
        en: "{} held deliveries go out to {}, the oldest first, {}.",
        es: "Salen {} entregas retenidas hacia {}, primero las más antiguas, {}.",
    }
    delete { en: "Delete {}", es: "Eliminar {}" }
    delete_title { en: "Delete {}?", es: "¿Eliminar {}?" }
    delete_help {
        en: "{} deliveries that wait are cancelled, and nothing more goes to {}. They stay to be seen, and can be sent elsewhere. This cannot be undone.",
        es: "Se cancelan {} entregas en espera y ya no va nada a {}. Quedan a la vista y se pueden enviar a otro destino. No se puede deshacer.",
    }
    type_name { en: "Type {} to delete it", es: "Escribe {} para eliminarlo" }
    paused { en: "Paused", es: "En pausa" }
    failing { en: "Failing", es: "Falla" }
    active { en: "Active", es: "Activo" }
    oldest_due { en: "Oldest due", es: "La más atrasada" }
    last_delivered { en: "Last taken", es: "Última aceptada" }
    limits { en: "Limits", es: "Límites" }
    no_rate { en: "no limit a second", es: "sin límite por segundo" }
    takes { en: "{} from {}", es: "{} de {}" }
    all_events { en: "all events", es: "todos los eventos" }
    all_sources { en: "all sources", es: "todos los orígenes" }
    name { en: "Name", es: "Nombre" }
    slug_hint {
        en: "Small letters, digits and dashes. It cannot change.",
        es: "Minúsculas, cifras y guiones. No se puede cambiar.",
    }
    format { en: "Signature format", es: "Formato de firma" }
    format_hint {
        en: "The headers that the shop’s code verifies.",
        es: "Las cabeceras que verifica el código de la tienda.",
    }
    order_field { en: "Order of signatures", es: "Orden de las firmas" }
    order_hint {
        en: "While two secrets count, each delivery has two signatures. Code that reads only the last one, as Paddle’s SDK for Node does, needs the newest secret’s last once it has the new secret.",
        es: "Mientras cuentan dos secretos, cada entrega lleva dos firmas. El código que solo lee la última, como el SDK de Paddle para Node, necesita la del secreto más nuevo al final en cuanto tiene el secreto nuevo.",
    }
    order_newest_first { en: "newest secret first", es: "primero el secreto más nuevo" }
    order_oldest_first { en: "newest secret last", es: "al final el secreto más nuevo" }
    signed_as { en: "signed as {}, {}", es: "firmado como {}, {}" }
    sources_taken { en: "From sources", es: "De los orígenes" }
    sources_hint {
        en: "Names with commas; blank or * for all.",
        es: "Nombres con comas; en blanco o * para todos.",
    }
    events_taken { en: "Event types", es: "Tipos de evento" }
    events_hint {
        en: "Names or beginnings such as invoice.*, with commas; blank or * for all.",
        es: "Nombres o principios como invoice.*, con comas; en blanco o * para todos.",
    }
    ladder_gaps { en: "Gaps of the ladder", es: "Intervalos de la escalera" }
    ladder_hint {
        en: "Such as 1m, 90s, 2h. Blank: 11 attempts over 16 h 03 min.",
        es: "Como 1m, 90s, 2h. En blanco: 11 intentos en 16 h 03 min.",
    }
    timeout_field { en: "Time limit of an attempt, ms", es: "Límite de un intento, ms" }
    in_flight { en: "Attempts at once", es: "Intentos a la vez" }
}
