//! The rejections pages.

texts! {
    title { en: "Rejections", es: "Rechazos" }
    lede {
        en: "Requests that failed the check of signature or time. Nothing came of them; the newest 1 000 of each source are kept.",
        es: "Peticiones que no pasaron la comprobación de firma u hora. No tuvieron ningún efecto; se guardan las 1 000 más nuevas de cada origen.",
    }
    filter { en: "Filter rejections", es: "Filtrar rechazos" }
    caption { en: "Rejections, newest first", es: "Rechazos, los más nuevos primero" }
    detail_title { en: "Rejection {}", es: "Rechazo {}" }
    why { en: "Why", es: "Por qué" }
    clock_off { en: "Sender’s clock", es: "Reloj de quien envía" }
    came_from { en: "From", es: "Desde" }
    its_headers { en: "Its headers", es: "Sus cabeceras" }
    reason_mismatch { en: "No secret matches", es: "Ningún secreto coincide" }
    reason_old { en: "Signed too long ago", es: "Firmado hace demasiado" }
    reason_new { en: "Signed in the future", es: "Firmado en el futuro" }
    reason_missing { en: "A header is missing", es: "Falta una cabecera" }
    reason_malformed { en: "A header is malformed", es: "Una cabecera está mal formada" }
    reason_secret { en: "The source has no good secret", es: "El origen no tiene un secreto válido" }
    clock_right { en: "right", es: "en hora" }
    clock_ahead { en: "{} ahead", es: "{} por delante" }
    clock_behind { en: "{} behind", es: "{} por detrás" }
    clock_allowed { en: "{} allowed", es: "se permiten {}" }
    clock_any { en: "any allowed", es: "se permite cualquiera" }
    rejected { en: "Refused", es: "Rechazado" }
    stored { en: "Taken in", es: "Aceptado" }
    known { en: "Was known", es: "Ya conocido" }
    by_source { en: "By source", es: "Por origen" }
    by_source_help {
        en: "Counted are all of them, also those that are not kept.",
        es: "Se cuentan todos, también los que no se guardan.",
    }
    in_a_day { en: "In 24 hours", es: "En 24 horas" }
    usually { en: "Usually", es: "Normalmente" }
    kept { en: "Kept", es: "Guardados" }
    none { en: "Nothing was refused", es: "No se ha rechazado nada" }
    none_help {
        en: "What fails the check of signature or time shows here, with the reason and what to do.",
        es: "Lo que no pasa la comprobación de firma u hora aparece aquí, con el motivo y qué hacer.",
    }
    no_match { en: "No rejection matches", es: "Ningún rechazo coincide" }
    any_reason { en: "Any reason", es: "Cualquier motivo" }
    finding { en: "Finding", es: "Hallazgo" }
    findings { en: "What else the doctor saw", es: "Qué más ha visto el doctor" }
    findings_help {
        en: "Examined just now, with today’s secrets.",
        es: "Examinado ahora mismo, con los secretos de hoy.",
    }
    findings_none { en: "Nothing else stands out.", es: "Nada más llama la atención." }
    verify_again { en: "Verify again", es: "Verificar de nuevo" }
    verify_all_more { en: "Verify all…", es: "Verificar todos…" }
    verify_all_title { en: "Verify {} rejections of {} again?", es: "¿Verificar de nuevo {} rechazos de {}?" }
    verify_all_help {
        en: "Each is checked with today’s secrets at the time it came. What is good is taken in as if it had just arrived, and goes to its destinations; the rest stays here. A body that is too large to be kept, or a secret that came in place of a signature, cannot be checked.",
        es: "Cada uno se comprueba con los secretos de hoy a la hora en que llegó. Lo que es correcto se acepta como si acabara de llegar y va a sus destinos; el resto se queda aquí. Un cuerpo demasiado grande para guardarse, o un secreto que llegó en lugar de una firma, no se puede comprobar.",
    }
    verify_all_now { en: "Verify all now", es: "Verificar todos ahora" }
    verified_stored { en: "Good: it is an event now", es: "Correcto: ya es un evento" }
    verified_duplicate { en: "Good: the event was known", es: "Correcto: el evento ya se conocía" }
    verified_rejected {
        en: "Verified again: still not good",
        es: "Verificado de nuevo: sigue sin ser correcto",
    }
    verified_all { en: "Verified again", es: "Verificados de nuevo" }
    verified_all_counts {
        en: "{} new events, {} known, {} still refused",
        es: "{} eventos nuevos, {} conocidos, {} aún rechazados",
    }
    verified_all_not_kept {
        en: "; of these, {} can never be verified, because not all that came is kept",
        es: "; de estos, {} no se pueden verificar nunca, porque no se guarda todo lo que llegó",
    }
    verified_as { en: "Taken in as {}, by {}.", es: "Aceptado como {}, por {}." }
}
