//! The alerts page.

texts! {
    title { en: "Alerts", es: "Alertas" }
    lede {
        en: "What somebody should look at. Acknowledging says that you have; an alert ends by itself when its cause does.",
        es: "Lo que alguien debería mirar. Marcar como vista dice que usted lo ha hecho; una alerta termina sola cuando termina su causa.",
    }
    filter { en: "Filter alerts", es: "Filtrar alertas" }
    caption { en: "Alerts, newest first", es: "Alertas, las más nuevas primero" }
    open_one { en: "1 open", es: "1 abierta" }
    open_many { en: "{} open", es: "{} abiertas" }
    altered_repeat {
        en: "A known event came again with other bytes",
        es: "Un evento conocido llegó de nuevo con otros bytes",
    }
    mode_mismatch {
        en: "Events wait: test and live are mixed up",
        es: "Hay eventos en espera: prueba y real se mezclan",
    }
    rejection_spike { en: "Many more rejections than usual", es: "Muchos más rechazos de lo normal" }
    delivery_overdue { en: "Deliveries are overdue", es: "Hay entregas atrasadas" }
    delivery_failed {
        en: "Deliveries failed at every attempt",
        es: "Hay entregas que fallaron en todos los intentos",
    }
    destination_failing { en: "A destination takes nothing", es: "Un destino no acepta nada" }
    altered_more {
        en: "The event came again with other bytes: SHA-256 {} before, {} now. What was stored first stands.",
        es: "El evento llegó de nuevo con otros bytes: SHA-256 {} antes, {} ahora. Vale lo que se guardó primero.",
    }
    mode_test_more {
        en: "The event {} says that it is a test, but {} carries real money. It is stored, and goes nowhere until somebody releases it.",
        es: "El evento {} dice que es una prueba, pero {} lleva dinero real. Está guardado y no va a ningún sitio hasta que alguien lo libere.",
    }
    mode_live_more {
        en: "The event {} says that it is about real money, but {} is for tests. It is stored, and goes nowhere until somebody releases it.",
        es: "El evento {} dice que es de dinero real, pero {} es para pruebas. Está guardado y no va a ningún sitio hasta que alguien lo libere.",
    }
    spike_more {
        en: "{} refused {} arrivals in the last {} minutes; usual are {}. Open the newest one to see why, and what to do.",
        es: "{} rechazó {} llegadas en los últimos {} minutos; lo normal son {}. Abrir la más nueva para ver por qué y qué hacer.",
    }
    overdue_one_more {
        en: "1 delivery is due and not attempted, since {}. See whether a server runs and its database answers.",
        es: "1 entrega está pendiente y sin intentar desde {}. Mirar si hay un servidor en marcha y si su base de datos contesta.",
    }
    overdue_more {
        en: "{} deliveries are due and not attempted, the oldest since {}. See whether a server runs and its database answers.",
        es: "{} entregas están pendientes y sin intentar, la más antigua desde {}. Mirar si hay un servidor en marcha y si su base de datos contesta.",
    }
    failed_more {
        en: "Delivery {} has used up its ladder. {} Have the cause mended, then resend it.",
        es: "La entrega {} ha agotado su escalera. {} Hacer que se arregle la causa y después reenviarla.",
    }
    failing_more {
        en: "Every attempt since {} has failed, the last one at {}. {} Tell whoever runs it; while it is paused, no rungs are used up.",
        es: "Todos los intentos desde {} han fallado, el último a las {}. {} Avisar a quien lo lleva; mientras está en pausa no se gastan peldaños.",
    }
    details { en: "In words", es: "En palabras" }
    since { en: "Since", es: "Desde" }
    none { en: "No alerts", es: "No hay alertas" }
    none_help { en: "Everything is as it should be.", es: "Todo está como debe." }
    no_match { en: "No alert matches", es: "Ninguna alerta coincide" }
    acknowledge { en: "Acknowledge the alert about {}", es: "Marcar como vista la alerta sobre {}" }
    done { en: "Acknowledged", es: "Marcada como vista" }
}
