//! The list of secrets.

texts! {
    title { en: "Secrets", es: "Secretos" }
    lede {
        en: "After a rotation two secrets count, for 24 hours unless you say otherwise. Nothing is dropped while both ends change over.",
        es: "Tras una rotación cuentan dos secretos, durante 24 horas si no se dice otra cosa. Nada se pierde mientras ambas partes cambian.",
    }
    source_from { en: "Source, from {}", es: "Origen, de {}" }
    destination_signed { en: "Destination, signed by Acuse ({})", es: "Destino, firmado por Acuse ({})" }
    from_provider { en: "from {}", es: "de {}" }
    signed_by_us { en: "signed by Acuse", es: "firmado por Acuse" }
    left_until { en: "left, until {}", es: "restantes, hasta {}" }
    matched { en: "Matched", es: "Aceptó" }
    signed { en: "Signed", es: "Firmó" }
    last_used { en: "Last used", es: "Último uso" }
    ends { en: "Ends", es: "Termina" }
    stays { en: "stays", es: "sigue" }
    new_badge { en: "New", es: "Nuevo" }
    old_badge { en: "Old", es: "Antiguo" }
    never_used { en: "never", es: "nunca" }
    no_secret_used_title {
        en: "No webhook has used the new secret yet",
        es: "Ningún webhook ha usado aún el secreto nuevo",
    }
    no_secret_used_help {
        en: "Is it saved at {}? If not, every webhook of this source is rejected once the old secret ends.",
        es: "¿Está guardado en {}? Si no, se rechazará todo webhook de este origen cuando termine el secreto antiguo.",
    }
    webhooks_one { en: "1 webhook", es: "1 webhook" }
    webhooks_many { en: "{} webhooks", es: "{} webhooks" }
    safe_title { en: "Safe to retire the old secret", es: "Se puede retirar el secreto antiguo" }
    safe_help {
        en: "The new one has verified {}; the old one none for {}.",
        es: "El nuevo ha verificado {}; el antiguo ninguno desde hace {}.",
    }
    both_used_title { en: "Both secrets are in use", es: "Se usan los dos secretos" }
    both_used_help {
        en: "The new one has verified {}; the old one still verified one {}.",
        es: "El nuevo ha verificado {}; el antiguo todavía verificó uno {}.",
    }
    one_secret_each { en: "One secret each", es: "Un secreto cada uno" }
    nothing_rotates { en: "Nothing is rotating here", es: "Aquí no hay rotaciones" }
    source_or_destination { en: "Source or destination", es: "Origen o destino" }
    age { en: "Age", es: "Edad" }
    older_year { en: "older than a year", es: "más de un año" }
    none { en: "No sources or destinations yet", es: "Aún no hay orígenes ni destinos" }
    none_help { en: "Each of them brings its own secret.", es: "Cada uno trae su propio secreto." }
}
