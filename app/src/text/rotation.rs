//! Rotating, testing, extending and retiring secrets.

texts! {
    title { en: "Rotate", es: "Rotar" }
    more { en: "Rotate…", es: "Rotar…" }
    done_title { en: "Rotated: two secrets count now", es: "Rotado: ahora cuentan dos secretos" }
    retired_title { en: "Retired", es: "Retirado" }
    rotate_of { en: "Rotate the secret of {}", es: "Rotar el secreto de {}" }
    retire_this { en: "Retire {}", es: "Retirar {}" }
    retire_title { en: "Retire the secret {} now?", es: "¿Retirar ahora el secreto {}?" }
    retire_source_help {
        en: "{} then verifies with {} only. Webhooks signed with {} alone are rejected from this moment. This cannot be undone.",
        es: "{} verificará entonces solo con {}. Los webhooks firmados solo con {} se rechazan desde ese momento. No se puede deshacer.",
    }
    retire_destination_help {
        en: "Deliveries to {} are then signed with {} only. If it still reads {}, it refuses them. This cannot be undone.",
        es: "Las entregas a {} se firmarán entonces solo con {}. Si todavía lee {}, las rechazará. No se puede deshacer.",
    }
    retire_last_used { en: "It was last used {}.", es: "Se usó por última vez {}." }
    retire_never_used { en: "It was never used.", es: "No se usó nunca." }
    retire_newest_warning {
        en: "This is the newest one. {} was to end {}: it goes on without an end instead, and {} does not count any more.",
        es: "Es el más nuevo. {} iba a terminar {}: en su lugar sigue sin final, y {} deja de contar.",
    }
    retire_sure { en: "I know. Retire it all the same", es: "Lo sé. Retirarlo de todos modos" }
    retire_more { en: "Retire…", es: "Retirar…" }
    secret_shared {
        en: "Also the secret of {}. Unless that is meant, paste the one of this endpoint.",
        es: "También es el secreto de {}. Si no es a propósito, pegue el de este destino.",
    }
    new_secret_from { en: "New secret from {}", es: "Secreto nuevo de {}" }
    sealed_at_once {
        en: "It is sealed at once and never shown again.",
        es: "Se sella al momento y no se vuelve a mostrar.",
    }
    both_count_for { en: "Both count for", es: "Cuentan los dos durante" }
    destination_help {
        en: "Acuse makes a new secret and shows it once. Each delivery then carries two signatures, newest first, until the old secret ends.",
        es: "Acuse crea un secreto nuevo y lo muestra una vez. Cada entrega lleva entonces dos firmas, la nueva primero, hasta que termina el antiguo.",
    }
    create { en: "Make a new secret", es: "Crear un secreto nuevo" }
    created_title { en: "The new secret of {}", es: "El secreto nuevo de {}" }
    created_help { en: "Copy it now: it is not shown again.", es: "Copiarlo ahora: no se vuelve a mostrar." }
    created_next {
        en: "Put it into {}, then the old one can go.",
        es: "Ponerlo en {}; después puede irse el antiguo.",
    }
    created_done { en: "I have it", es: "Ya lo tengo" }
    extend { en: "Extend", es: "Aplazar" }
    extend_more { en: "Extend…", es: "Aplazar…" }
    extend_title { en: "Put off the end of {}", es: "Aplazar el final de {}" }
    extend_help {
        en: "{} ends {}. All active secrets go on to count until the new end, a week from now at most.",
        es: "{} termina {}. Todos los secretos activos siguen contando hasta el nuevo final, en una semana como mucho.",
    }
    extend_by { en: "Later by", es: "Más tarde en" }
    extended_title { en: "Extended", es: "Aplazado" }
    undo { en: "Undo the rotation", es: "Deshacer la rotación" }
    undo_more { en: "Undo the rotation…", es: "Deshacer la rotación…" }
    undo_title { en: "Undo the rotation of {}?", es: "¿Deshacer la rotación de {}?" }
    undo_source_help {
        en: "{} then verifies with {} again, without an end. Webhooks signed with {} alone are rejected from this moment.",
        es: "{} verificará otra vez con {}, sin final. Los webhooks firmados solo con {} se rechazan desde ese momento.",
    }
    undo_destination_help {
        en: "Deliveries to {} are then signed with {} again, without an end. If it reads only {} by now, it refuses them.",
        es: "Las entregas a {} se firmarán otra vez con {}, sin final. Si ya solo lee {}, las rechazará.",
    }
    undone_title { en: "Undone: the old secret goes on", es: "Deshecho: sigue el secreto antiguo" }
    used_warning {
        en: "{} verified {} in the last hour. Such webhooks would be rejected.",
        es: "{} verificó {} en la última hora. Esos webhooks se rechazarían.",
    }
    untested_warning {
        en: "{} has not shown that it takes the new secret alone. Send the test first.",
        es: "{} no ha demostrado que acepta el secreto nuevo solo. Envía antes la prueba.",
    }
    reason_optional {
        en: "Why? Kept in the audit (optional)",
        es: "¿Por qué? Queda en la auditoría (opcional)",
    }
    lane_new { en: "new {}: {} times", es: "nuevo {}: {} veces" }
    lane_old { en: "old {}: {} times", es: "antiguo {}: {} veces" }
    lane_rotated { en: "rotated", es: "rotado" }
    lane_end { en: "end", es: "fin" }
    guide_source { en: "Where to click at {}", es: "Dónde hacer clic en {}" }
    guide_destination { en: "What to do on the server of {}", es: "Qué hacer en el servidor de {}" }
    test_send { en: "Send the test", es: "Enviar la prueba" }
    test_again { en: "Test again", es: "Probar otra vez" }
    tested_title { en: "Tested", es: "Probado" }
    tested_when { en: "Tested {} by {}.", es: "Probado {} por {}." }
    probe_all { en: "Signed with all", es: "Firmada con todos" }
    probe_newest { en: "Signed with the new one only", es: "Firmada solo con el nuevo" }
    probe_old { en: "Signed with the old one only", es: "Firmada solo con el antiguo" }
    probe_wrong { en: "Signed with a wrong one", es: "Firmada con uno falso" }
    probe_answer { en: "{} in {}", es: "{} en {}" }
    untested_title {
        en: "{} has not shown yet that it reads both signatures",
        es: "{} aún no ha demostrado que lee las dos firmas",
    }
    untested_help {
        en: "Each delivery carries one per secret, newest first. Send the test: four small requests that are no events.",
        es: "Cada entrega lleva una por secreto, la nueva primero. Envía la prueba: cuatro peticiones pequeñas que no son eventos.",
    }
    found_ready_help {
        en: "The server takes the new secret alone, and both signatures together.",
        es: "El servidor acepta el secreto nuevo solo, y las dos firmas juntas.",
    }
    found_old_only_title {
        en: "The server has the old secret only",
        es: "El servidor solo tiene el secreto antiguo",
    }
    found_old_only_help {
        en: "It reads both signatures, so nothing fails yet. Save the new secret there before the old one ends.",
        es: "Lee las dos firmas, así que aún no falla nada. Guarda allí el secreto nuevo antes de que termine el antiguo.",
    }
    found_no_list_title {
        en: "The server has the new secret, but does not read two signatures",
        es: "El servidor tiene el secreto nuevo, pero no lee dos firmas",
    }
    found_no_list_help {
        en: "Deliveries fail while both count. Change the order of signatures of the destination and test again: it may read only the first or only the last one. If that does not help, retire the old secret now.",
        es: "Las entregas fallan mientras cuentan los dos. Cambia el orden de las firmas del destino y repite la prueba: puede que solo lea la primera o solo la última. Si no ayuda, retira ahora el secreto antiguo.",
    }
    found_old_no_list_title {
        en: "The server refuses every delivery of this rotation",
        es: "El servidor rechaza todas las entregas de esta rotación",
    }
    found_old_no_list_help {
        en: "It has the old secret and reads one signature only. Undo the rotation, mend the server, and rotate again.",
        es: "Tiene el secreto antiguo y lee una sola firma. Deshaz la rotación, arregla el servidor y rota otra vez.",
    }
    found_none_title {
        en: "The server took none of the signatures",
        es: "El servidor no aceptó ninguna de las firmas",
    }
    found_none_help {
        en: "Look at the answers below: is it down, or does it have another secret?",
        es: "Mira las respuestas de abajo: ¿está caído, o tiene otro secreto?",
    }
    found_unverified_title {
        en: "The server does not check signatures",
        es: "El servidor no comprueba las firmas",
    }
    found_unverified_help {
        en: "It took one that is wrong: anybody can post events to it.",
        es: "Aceptó una falsa: cualquiera puede enviarle eventos.",
    }
}
