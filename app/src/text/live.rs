//! How lists renew themselves.

texts! {
    read_at { en: "Loaded at {}", es: "Cargado a las {}" }
    updated { en: "Updated {}", es: "Actualizado {}" }
    paused_busy { en: "paused while you work here", es: "en pausa mientras trabaja aquí" }
    paused_by_hand { en: "paused; press . to resume", es: "en pausa; pulse . para reanudar" }
    lost_since { en: "Not updated since {}", es: "Sin actualizar desde las {}" }
    newer_one { en: "1 newer: show", es: "1 más nueva: mostrar" }
    newer_many { en: "{} newer: show", es: "{} más nuevas: mostrar" }
    newer_events_one { en: "1 newer: show", es: "1 más nuevo: mostrar" }
    newer_events_many { en: "{} newer: show", es: "{} más nuevos: mostrar" }
    paused_picked { en: "paused while rows are selected", es: "en pausa mientras haya filas elegidas" }
}
