//! The audit page.

texts! {
    title { en: "Audit", es: "Auditoría" }
    lede {
        en: "Who did what, when, to what, from where and why. Entries are chained: a change afterwards shows.",
        es: "Quién hizo qué, cuándo, a qué, desde dónde y por qué. Las entradas están encadenadas: un cambio posterior se nota.",
    }
    filter { en: "Filter the audit", es: "Filtrar la auditoría" }
    newer_entries_one { en: "1 newer: show", es: "1 más nueva: mostrar" }
    newer_entries_many { en: "{} newer: show", es: "{} más nuevas: mostrar" }
    newer_entries { en: "Newer entries", es: "Entradas más nuevas" }
    older_entries { en: "Older entries", es: "Entradas más antiguas" }
    none { en: "Nothing has been done yet", es: "Todavía no se ha hecho nada" }
    none_help {
        en: "What people do is written here: rotations, resends, changes, log-ins.",
        es: "Aquí se escribe lo que hace la gente: rotaciones, reenvíos, cambios, accesos.",
    }
    no_match { en: "No entry matches", es: "Ninguna entrada coincide" }
    anybody { en: "anybody", es: "cualquiera" }
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
    actor { en: "Who", es: "Quién" }
    subject { en: "To what", es: "A qué" }
    at { en: "When", es: "Cuándo" }
    reason { en: "Why", es: "Por qué" }
    from { en: "From", es: "Desde" }
}
