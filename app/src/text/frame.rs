//! The frame around every page.

texts! {
    skip_link { en: "Skip to content", es: "Ir al contenido" }
    menu { en: "Menu", es: "Menú" }
    main_menu { en: "Main", es: "Principal" }
    search_label { en: "Search events and deliveries", es: "Buscar eventos y entregas" }
    search_hint {
        en: "Payment, event id, type or delivery number",
        es: "Pago, id de evento, tipo o número de entrega",
    }
    account_of { en: "Account: {}", es: "Cuenta: {}" }
    account { en: "Account", es: "Cuenta" }
    theme { en: "Theme", es: "Tema" }
    theme_system { en: "System", es: "Sistema" }
    theme_light { en: "Light", es: "Claro" }
    theme_dark { en: "Dark", es: "Oscuro" }
    high_contrast { en: "High contrast", es: "Alto contraste" }
    times_in { en: "Times in", es: "Horas en" }
    zone_local { en: "Browser’s time zone", es: "Zona horaria del navegador" }
    language { en: "Language", es: "Idioma" }
    save { en: "Save", es: "Guardar" }
    log_out { en: "Log out", es: "Salir" }
    home_label { en: "Acuse, deliveries", es: "Acuse, entregas" }
}
