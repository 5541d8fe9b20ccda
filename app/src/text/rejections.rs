//! The rejections pages.

texts! {
    title { en: "Rejections", es: "Rechazos" }
    lede {
        en: "Webhooks that failed the signature or time check. They had no effect. The newest 1 000 of each source are stored.",
        es: "Webhooks que no pasaron la comprobación de firma o de hora. No tuvieron efecto. Se guardan los 1 000 más recientes de cada origen.",
    }
    filter { en: "Filter rejections", es: "Filtrar rechazos" }
    caption { en: "Rejections, newest first", es: "Rechazos, los más nuevos primero" }
    detail_title { en: "Rejection {}", es: "Rechazo {}" }
    why { en: "Reason", es: "Motivo" }
    clock_off { en: "Sender’s clock", es: "Reloj del emisor" }
    came_from { en: "From", es: "Desde" }
    its_headers { en: "Headers", es: "Cabeceras" }
    reason_mismatch { en: "No secret matches", es: "Ningún secreto coincide" }
    reason_old { en: "Signed too long ago", es: "Firmado hace demasiado" }
    reason_new { en: "Signed in the future", es: "Firmado en el futuro" }
    reason_missing { en: "A header is missing", es: "Falta una cabecera" }
    reason_malformed { en: "A header is malformed", es: "Una cabecera está mal formada" }
    reason_secret { en: "The source has no usable secret", es: "El origen no tiene un secreto utilizable" }
    clock_right { en: "correct", es: "en hora" }
    clock_ahead { en: "{} ahead", es: "{} por delante" }
    clock_behind { en: "{} behind", es: "{} por detrás" }
    clock_allowed { en: "{} allowed", es: "se permiten {}" }
    clock_any { en: "no limit", es: "sin límite" }
    rejected { en: "Rejected", es: "Rechazado" }
    stored { en: "Stored", es: "Guardado" }
    known { en: "Duplicate", es: "Duplicado" }
    by_source { en: "By source", es: "Por origen" }
    by_source_help {
        en: "Counts include rejections that are not stored.",
        es: "Se cuentan también los rechazos que no se guardan.",
    }
    in_a_day { en: "Last 24 hours", es: "Últimas 24 horas" }
    usually { en: "Normally", es: "Lo normal" }
    kept { en: "Stored", es: "Guardados" }
    none { en: "No rejections", es: "No hay rechazos" }
    none_help {
        en: "Webhooks that fail the signature or time check appear here, with the reason and how to fix it.",
        es: "Aquí aparecen los webhooks que no pasan la comprobación de firma o de hora, con el motivo y la solución.",
    }
    no_match { en: "No rejections match", es: "Ningún rechazo coincide" }
    any_reason { en: "Any reason", es: "Cualquier motivo" }
    finding { en: "Finding", es: "Hallazgo" }
    findings { en: "Other findings", es: "Otros hallazgos" }
    findings_help {
        en: "Checked just now, with the current secrets.",
        es: "Comprobado ahora mismo, con los secretos actuales.",
    }
    findings_none { en: "No other findings.", es: "No hay otros hallazgos." }
    verify_again { en: "Verify again", es: "Verificar de nuevo" }
    verify_all_more { en: "Verify all…", es: "Verificar todos…" }
    verify_all_title { en: "Verify {} rejections of {} again?", es: "¿Verificar de nuevo {} rechazos de {}?" }
    verify_all_help {
        en: "Each one is checked with the current secrets, at the time it arrived. Valid ones are stored and delivered as if they had just arrived; the rest stay here. Bodies too large to be stored, and secrets sent in place of a signature, cannot be checked.",
        es: "Cada uno se comprueba con los secretos actuales, a la hora en que llegó. Los válidos se guardan y se entregan como recién llegados; el resto sigue aquí. No se pueden comprobar los cuerpos demasiado grandes para guardarse ni los secretos enviados en lugar de una firma.",
    }
    verify_all_now { en: "Verify all now", es: "Verificar todos ahora" }
    verified_stored { en: "Valid: stored as a new event", es: "Válido: guardado como evento nuevo" }
    verified_duplicate {
        en: "Valid: the event was already stored",
        es: "Válido: el evento ya estaba guardado",
    }
    verified_rejected {
        en: "Verified again: still not valid",
        es: "Verificado de nuevo: sigue sin ser válido",
    }
    verified_all { en: "Verified again", es: "Verificados de nuevo" }
    verified_all_counts {
        en: "{} new events, {} duplicates, {} still rejected",
        es: "{} eventos nuevos, {} duplicados, {} aún rechazados",
    }
    verified_all_not_kept {
        en: "; {} of these cannot be verified, because they were not stored in full",
        es: "; {} de ellos no se pueden verificar, porque no se guardaron completos",
    }
    verified_as { en: "Stored as {}, by {}.", es: "Guardado como {}, por {}." }
}
