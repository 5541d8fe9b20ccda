//! The destinations page and its forms.

texts! {
    title { en: "Destinations", es: "Destinos" }
    lede {
        en: "Where deliveries go, how many are waiting, and since when.",
        es: "Adónde van las entregas, cuántas esperan y desde cuándo.",
    }
    none { en: "No destinations yet", es: "Aún no hay destinos" }
    none_help {
        en: "Add the URL of a shop to deliver the events of your sources to it.",
        es: "Añada la URL de una tienda para entregarle los eventos de sus orígenes.",
    }
    new { en: "New destination", es: "Destino nuevo" }
    create { en: "Create destination", es: "Crear destino" }
    save_changes { en: "Save changes", es: "Guardar cambios" }
    edit_title { en: "Edit {}", es: "Editar {}" }
    pause_more { en: "Pause…", es: "Pausar…" }
    resume_more { en: "Resume…", es: "Reanudar…" }
    pause { en: "Pause {}", es: "Pausar {}" }
    pause_title { en: "Pause {}?", es: "¿Pausar {}?" }
    pause_help {
        en: "{} pending deliveries are held, and so are new ones for {}. No attempts are used while it is paused; resuming sends them.",
        es: "Se retienen {} entregas pendientes y las nuevas para {}. En pausa no se gastan intentos; al reanudar se envían.",
    }
    resume { en: "Resume {}", es: "Reanudar {}" }
    resume_title { en: "Resume {}?", es: "¿Reanudar {}?" }
    resume_help {
        en: "{} held deliveries are sent to {}, oldest first, {}.",
        es: "Se envían {} entregas retenidas a {}, primero las más antiguas, {}.",
    }
    delete { en: "Delete {}", es: "Eliminar {}" }
    delete_title { en: "Delete {}?", es: "¿Eliminar {}?" }
    delete_help {
        en: "{} pending deliveries are cancelled, and nothing more is sent to {}. They stay visible and can be sent to another destination. This cannot be undone.",
        es: "Se cancelan {} entregas pendientes y no se envía nada más a {}. Siguen visibles y se pueden enviar a otro destino. No se puede deshacer.",
    }
    type_name { en: "Type {} to delete it", es: "Escriba {} para eliminarlo" }
    paused { en: "Paused", es: "En pausa" }
    failing { en: "Failing", es: "Falla" }
    active { en: "Active", es: "Activo" }
    oldest_due { en: "Oldest pending", es: "La más antigua" }
    last_delivered { en: "Last delivered", es: "Última entrega" }
    limits { en: "Limits", es: "Límites" }
    no_rate { en: "no rate limit", es: "sin límite por segundo" }
    takes { en: "{} from {}", es: "{} de {}" }
    all_events { en: "all events", es: "todos los eventos" }
    all_sources { en: "all sources", es: "todos los orígenes" }
    name { en: "Name", es: "Nombre" }
    slug_hint {
        en: "Lowercase letters, digits and dashes. It cannot be changed later.",
        es: "Minúsculas, cifras y guiones. No se puede cambiar después.",
    }
    format { en: "Signature format", es: "Formato de firma" }
    format_hint {
        en: "The headers that the shop’s code verifies.",
        es: "Las cabeceras que verifica el código de la tienda.",
    }
    order_field { en: "Order of signatures", es: "Orden de las firmas" }
    order_hint {
        en: "During a rotation, each delivery carries two signatures. Code that reads only the last one, such as Paddle’s SDK for Node, needs the newest secret last once it has the new secret.",
        es: "Durante una rotación, cada entrega lleva dos firmas. El código que solo lee la última, como el SDK de Paddle para Node, necesita el secreto más nuevo al final en cuanto lo tenga.",
    }
    order_newest_first { en: "newest secret first", es: "primero el secreto más nuevo" }
    order_oldest_first { en: "newest secret last", es: "al final el secreto más nuevo" }
    signed_as { en: "signed as {}, {}", es: "firmado como {}, {}" }
    sources_taken { en: "Sources", es: "Orígenes" }
    sources_hint {
        en: "Names, separated by commas. Blank or * for all.",
        es: "Nombres separados por comas. En blanco o * para todos.",
    }
    events_taken { en: "Event types", es: "Tipos de evento" }
    events_hint {
        en: "Names or prefixes such as invoice.*, separated by commas. Blank or * for all.",
        es: "Nombres o prefijos como invoice.*, separados por comas. En blanco o * para todos.",
    }
    ladder_gaps { en: "Retry intervals", es: "Intervalos entre intentos" }
    ladder_hint {
        en: "For example 1m, 90s, 2h. Blank: 11 attempts over 16 h 03 min.",
        es: "Por ejemplo 1m, 90s, 2h. En blanco: 11 intentos en 16 h 03 min.",
    }
    timeout_field { en: "Timeout of an attempt, ms", es: "Límite de un intento, ms" }
    in_flight { en: "Concurrent attempts", es: "Intentos simultáneos" }
}
