//! Rotating, testing, extending and retiring secrets.

texts! {
    title { en: "Rotate", es: "Rotar" }
    more { en: "Rotate…", es: "Rotar…" }
    done_title { en: "Rotated: both secrets are active", es: "Rotado: los dos secretos están activos" }
    retired_title { en: "Retired", es: "Retirado" }
    rotate_of { en: "Rotate the secret of {}", es: "Rotar el secreto de {}" }
    retire_this { en: "Retire {}", es: "Retirar {}" }
    retire_title { en: "Retire the secret {} now?", es: "¿Retirar ahora el secreto {}?" }
    retire_source_help {
        en: "{} then accepts only {}. Webhooks signed with {} alone are rejected from this moment. This cannot be undone.",
        es: "{} aceptará entonces solo {}. Los webhooks firmados solo con {} se rechazan desde ese momento. No se puede deshacer.",
    }
    retire_destination_help {
        en: "Deliveries to {} are then signed with {} only. If it still uses {}, it will reject them. This cannot be undone.",
        es: "Las entregas a {} se firmarán entonces solo con {}. Si todavía usa {}, las rechazará. No se puede deshacer.",
    }
    retire_last_used { en: "It was last used {}.", es: "Se usó por última vez {}." }
    retire_never_used { en: "It has never been used.", es: "No se ha usado nunca." }
    retire_newest_warning {
        en: "This is the newest secret. {} was to expire {}; it stays active without an expiry instead, and {} stops working.",
        es: "Es el secreto más nuevo. {} iba a caducar {}; en su lugar sigue activo sin caducidad, y {} deja de funcionar.",
    }
    retire_sure { en: "Retire it anyway", es: "Retirarlo de todos modos" }
    retire_more { en: "Retire…", es: "Retirar…" }
    secret_shared {
        en: "{} has the same secret. Unless that is intended, paste the one of this endpoint.",
        es: "{} tiene el mismo secreto. Si no es a propósito, pegue el de este endpoint.",
    }
    new_secret_from { en: "New secret from {}", es: "Secreto nuevo de {}" }
    sealed_at_once {
        en: "Encrypted on saving, and never shown again.",
        es: "Se cifra al guardarlo y no se vuelve a mostrar.",
    }
    both_count_for { en: "Both stay active for", es: "Los dos siguen activos durante" }
    destination_help {
        en: "Acuse creates a new secret and shows it once. Until the old one expires, each delivery carries two signatures, newest first.",
        es: "Acuse crea un secreto nuevo y lo muestra una vez. Hasta que caduque el antiguo, cada entrega lleva dos firmas, la nueva primero.",
    }
    create { en: "Create a new secret", es: "Crear un secreto nuevo" }
    created_title { en: "New secret of {}", es: "Secreto nuevo de {}" }
    created_help { en: "Copy it now: it is not shown again.", es: "Cópielo ahora: no se vuelve a mostrar." }
    created_next {
        en: "Save it in {}, then retire the old one.",
        es: "Guárdelo en {} y después retire el antiguo.",
    }
    created_done { en: "I have copied it", es: "Ya lo he copiado" }
    extend { en: "Extend", es: "Aplazar" }
    extend_more { en: "Extend…", es: "Aplazar…" }
    extend_title { en: "Extend the life of {}", es: "Aplazar la caducidad de {}" }
    extend_help {
        en: "{} expires {}. All active secrets stay active until the new expiry, at most a week from now.",
        es: "{} caduca {}. Todos los secretos activos siguen así hasta la nueva caducidad, en una semana como mucho.",
    }
    extend_by { en: "Extend by", es: "Aplazar" }
    extended_title { en: "Extended", es: "Aplazado" }
    undo { en: "Undo the rotation", es: "Deshacer la rotación" }
    undo_more { en: "Undo the rotation…", es: "Deshacer la rotación…" }
    undo_title { en: "Undo the rotation of {}?", es: "¿Deshacer la rotación de {}?" }
    undo_source_help {
        en: "{} then accepts {} again, without an expiry. Webhooks signed with {} alone are rejected from this moment.",
        es: "{} aceptará otra vez {}, sin caducidad. Los webhooks firmados solo con {} se rechazan desde ese momento.",
    }
    undo_destination_help {
        en: "Deliveries to {} are then signed with {} again, without an expiry. If it already uses only {}, it will reject them.",
        es: "Las entregas a {} se firmarán otra vez con {}, sin caducidad. Si ya usa solo {}, las rechazará.",
    }
    undone_title {
        en: "Undone: the old secret stays active",
        es: "Deshecho: el secreto antiguo sigue activo",
    }
    used_warning {
        en: "{} verified {} in the last hour. Such webhooks would be rejected.",
        es: "{} verificó {} en la última hora. Esos webhooks se rechazarían.",
    }
    untested_warning {
        en: "{} has not yet been tested with the new secret alone. Run the test first.",
        es: "{} aún no se ha probado solo con el secreto nuevo. Haga antes la prueba.",
    }
    reason_optional { en: "Reason, for the audit log (optional)", es: "Motivo, para la auditoría (opcional)" }
    lane_new { en: "new {}: {} times", es: "nuevo {}: {} veces" }
    lane_old { en: "old {}: {} times", es: "antiguo {}: {} veces" }
    lane_rotated { en: "rotated", es: "rotado" }
    lane_end { en: "expiry", es: "caducidad" }
    guide_source { en: "How to rotate at {}", es: "Cómo rotar en {}" }
    guide_destination { en: "How to rotate on the server of {}", es: "Cómo rotar en el servidor de {}" }
    test_send { en: "Run the test", es: "Hacer la prueba" }
    test_again { en: "Test again", es: "Repetir la prueba" }
    tested_title { en: "Tested", es: "Probado" }
    tested_when { en: "Tested {} by {}.", es: "Probado {} por {}." }
    probe_all { en: "Signed with every active secret", es: "Firmada con todos los secretos activos" }
    probe_newest { en: "Signed with the new secret only", es: "Firmada solo con el secreto nuevo" }
    probe_old { en: "Signed with the old secret only", es: "Firmada solo con el secreto antiguo" }
    probe_wrong { en: "Signed with a wrong secret", es: "Firmada con un secreto falso" }
    probe_answer { en: "{} in {}", es: "{} en {}" }
    untested_title {
        en: "{} has not been tested with two signatures yet",
        es: "{} aún no se ha probado con dos firmas",
    }
    untested_help {
        en: "During a rotation each delivery carries one signature per secret, newest first. The test sends four small requests that are not events.",
        es: "Durante una rotación, cada entrega lleva una firma por secreto, la nueva primero. La prueba envía cuatro peticiones pequeñas que no son eventos.",
    }
    found_ready_help {
        en: "The server accepts the new secret alone, and both signatures together.",
        es: "El servidor acepta el secreto nuevo solo, y las dos firmas juntas.",
    }
    found_old_only_title {
        en: "The server has only the old secret",
        es: "El servidor solo tiene el secreto antiguo",
    }
    found_old_only_help {
        en: "It reads both signatures, so nothing fails yet. Save the new secret on the server before the old one expires.",
        es: "Lee las dos firmas, así que aún no falla nada. Guarde el secreto nuevo en el servidor antes de que caduque el antiguo.",
    }
    found_no_list_title {
        en: "The server has the new secret, but cannot read two signatures",
        es: "El servidor tiene el secreto nuevo, pero no lee dos firmas",
    }
    found_no_list_help {
        en: "Deliveries fail while both secrets are active. Change the order of signatures of the destination and test again: the server may read only the first or only the last one. If that does not help, retire the old secret now.",
        es: "Las entregas fallan mientras los dos secretos están activos. Cambie el orden de las firmas del destino y repita la prueba: puede que el servidor solo lea la primera o solo la última. Si no ayuda, retire ahora el secreto antiguo.",
    }
    found_old_no_list_title {
        en: "The server rejects every delivery of this rotation",
        es: "El servidor rechaza todas las entregas de esta rotación",
    }
    found_old_no_list_help {
        en: "It has the old secret and reads only one signature. Undo the rotation, fix the server, and rotate again.",
        es: "Tiene el secreto antiguo y lee una sola firma. Deshaga la rotación, corrija el servidor y rote otra vez.",
    }
    found_none_title {
        en: "The server accepted none of the signatures",
        es: "El servidor no aceptó ninguna de las firmas",
    }
    found_none_help {
        en: "Check the answers below: is the server down, or does it have another secret?",
        es: "Revise las respuestas de abajo: ¿está caído el servidor, o tiene otro secreto?",
    }
    found_unverified_title {
        en: "The server does not verify signatures",
        es: "El servidor no verifica las firmas",
    }
    found_unverified_help {
        en: "It accepted a wrong signature: anyone can post events to it.",
        es: "Aceptó una firma falsa: cualquiera puede enviarle eventos.",
    }
}
