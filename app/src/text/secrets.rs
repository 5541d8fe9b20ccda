//! The list of secrets.

texts! {
    title { en: "Secrets", es: "Secretos" }
    lede {
        en: "During a rotation two secrets are active, for 24 hours by default, so nothing is lost while both sides switch.",
        es: "Durante una rotación hay dos secretos activos, 24 horas si no se indica otra cosa. Así no se pierde nada mientras ambas partes cambian.",
    }
    source_from { en: "Source, from {}", es: "Origen, de {}" }
    destination_signed { en: "Destination, signed by Acuse ({})", es: "Destino, firmado por Acuse ({})" }
    from_provider { en: "from {}", es: "de {}" }
    signed_by_us { en: "signed by Acuse", es: "firmado por Acuse" }
    left_until { en: "left, until {}", es: "restantes, hasta {}" }
    matched { en: "Verified", es: "Verificó" }
    signed { en: "Signed", es: "Firmó" }
    last_used { en: "Last used", es: "Último uso" }
    ends { en: "Expires", es: "Caduca" }
    stays { en: "no expiry", es: "sin caducidad" }
    new_badge { en: "New", es: "Nuevo" }
    old_badge { en: "Old", es: "Antiguo" }
    never_used { en: "never", es: "nunca" }
    no_secret_used_title {
        en: "No webhook is signed with the new secret yet",
        es: "Ningún webhook viene firmado aún con el secreto nuevo",
    }
    no_secret_used_help {
        en: "Is it saved at {}? If not, every webhook of this source will be rejected when the old secret expires.",
        es: "¿Está guardado en {}? Si no, se rechazarán todos los webhooks de este origen cuando caduque el secreto antiguo.",
    }
    webhooks_one { en: "1 webhook", es: "1 webhook" }
    webhooks_many { en: "{} webhooks", es: "{} webhooks" }
    safe_title { en: "You can retire the old secret", es: "Ya se puede retirar el secreto antiguo" }
    safe_help {
        en: "The new one verified {}; the old one none for {}.",
        es: "El nuevo verificó {}; el antiguo ninguno desde hace {}.",
    }
    both_used_title { en: "Both secrets are in use", es: "Se usan los dos secretos" }
    both_used_help {
        en: "The new one verified {}; the old one last verified one {}.",
        es: "El nuevo verificó {}; el antiguo verificó el último {}.",
    }
    one_secret_each { en: "No rotation in progress", es: "Sin rotación en curso" }
    nothing_rotates { en: "These have one secret each.", es: "Estos tienen un solo secreto cada uno." }
    source_or_destination { en: "Source or destination", es: "Origen o destino" }
    age { en: "Age", es: "Antigüedad" }
    older_year { en: "older than a year", es: "más de un año" }
    none { en: "No sources or destinations yet", es: "Aún no hay orígenes ni destinos" }
    none_help { en: "Each of them comes with its own secret.", es: "Cada uno trae su propio secreto." }
}
