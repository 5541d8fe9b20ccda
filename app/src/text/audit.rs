//! The audit page.

texts! {
    title { en: "Audit", es: "Auditoría" }
    lede {
        en: "Who did what and when, from where, and why. Entries are chained, so any later change is detected.",
        es: "Quién hizo qué y cuándo, desde dónde y por qué. Las entradas están encadenadas: cualquier cambio posterior se detecta.",
    }
    filter { en: "Filter the audit log", es: "Filtrar la auditoría" }
    newer_entries_one { en: "1 newer: show", es: "1 más nueva: mostrar" }
    newer_entries_many { en: "{} newer: show", es: "{} más nuevas: mostrar" }
    newer_entries { en: "Newer entries", es: "Entradas más nuevas" }
    older_entries { en: "Older entries", es: "Entradas más antiguas" }
    none { en: "No entries yet", es: "Aún no hay entradas" }
    none_help {
        en: "Every action appears here: rotations, resends, changes, log-ins.",
        es: "Aquí aparece cada acción: rotaciones, reenvíos, cambios, accesos.",
    }
    no_match { en: "No entry matches", es: "Ninguna entrada coincide" }
    anybody { en: "anyone", es: "cualquiera" }
    any_action { en: "any action", es: "cualquier acción" }
    any_subject { en: "anything", es: "cualquier cosa" }
    chain_holds {
        en: "Chain verified: {} entries, none changed, none missing",
        es: "Cadena verificada: {} entradas, ninguna cambiada, ninguna ausente",
    }
    chain_broken {
        en: "The chain is broken: entry {} was changed or is missing",
        es: "La cadena está rota: la entrada {} fue cambiada o falta",
    }
    chain_checked { en: "Checked {}. The last hash is {}.", es: "Comprobada {}. El último hash es {}." }
    actor { en: "User", es: "Usuario" }
    subject { en: "Subject", es: "Objeto" }
    at { en: "When", es: "Cuándo" }
    reason { en: "Reason", es: "Motivo" }
    from { en: "From", es: "Desde" }
}
