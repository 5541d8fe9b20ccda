//! The words for roles, modes and states.

texts! {
    role_viewer { en: "viewer", es: "lectura" }
    role_support { en: "support", es: "soporte" }
    role_admin { en: "admin", es: "administración" }
    pending { en: "Pending", es: "Pendiente" }
    delivered { en: "Delivered", es: "Entregada" }
    failed { en: "Failed", es: "Fallida" }
    held { en: "Held", es: "Retenida" }
    cancelled { en: "Cancelled", es: "Cancelada" }
    open { en: "Open", es: "Abierta" }
    acknowledged { en: "Acknowledged", es: "Vista" }
    resolved { en: "Resolved", es: "Resuelta" }
    running { en: "Running", es: "En curso" }
    done { en: "Done", es: "Terminada" }
    run_failed { en: "Failed", es: "Fallida" }
    mode_test { en: "test", es: "pruebas" }
    mode_live { en: "live", es: "producción" }
}
