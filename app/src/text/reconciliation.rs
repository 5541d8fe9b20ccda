//! The reconciliation page.

texts! {
    title { en: "Reconciliation", es: "Conciliación" }
    lede {
        en: "What the providers’ books say, beside ours and the shops’. Differences are shown, never corrected behind your back.",
        es: "Lo que dicen los libros de los proveedores, junto a los nuestros y los de las tiendas. Las diferencias se muestran, nunca se corrigen a escondidas.",
    }
    compare_now_more { en: "Compare now…", es: "Comparar ahora…" }
    compare_now { en: "Compare now", es: "Comparar ahora" }
    open_none { en: "No open differences", es: "No hay diferencias abiertas" }
    open_one { en: "1 open difference", es: "1 diferencia abierta" }
    open_many { en: "{} open differences", es: "{} diferencias abiertas" }
    by_kind { en: "by kind", es: "por tipo" }
    open_count { en: "Open", es: "Abiertas" }
    what_next { en: "What to do next", es: "Qué hacer ahora" }
    kind_missing { en: "They have it, no webhook came", es: "Ellos lo tienen, no llegó ningún webhook" }
    kind_status { en: "The states differ", es: "Los estados difieren" }
    kind_undelivered { en: "It came, the shop never took it", es: "Llegó, la tienda no lo aceptó" }
    next_missing {
        en: "Ask the provider to send it again, and check which events it sends to this source. For Stripe and Paddle, compare again with “Take in what is missing” ticked.",
        es: "Pedir al proveedor que lo envíe otra vez y revisar qué eventos manda a este origen. Si es Stripe o Paddle, comparar otra vez con «Incorporar lo que falta» marcado.",
    }
    next_status {
        en: "Theirs is what counts: ask them to send the last event again.",
        es: "Cuenta lo suyo: pedirles que envíen otra vez el último evento.",
    }
    next_undelivered {
        en: "Mend the cause at the shop, then resend the delivery.",
        es: "Arreglar la causa en la tienda y reenviar la entrega.",
    }
    differences { en: "Differences", es: "Diferencias" }
    we_have { en: "We have", es: "Tenemos" }
    they_have { en: "They have", es: "Tienen" }
    nothing { en: "nothing", es: "nada" }
    first_seen { en: "First seen", es: "Vista por primera vez" }
    next_step { en: "Next", es: "Siguiente" }
    order_of { en: "Order {}", es: "Pedido {}" }
    resend { en: "Resend…", es: "Reenviar…" }
    view_event { en: "See the event", es: "Ver el evento" }
    acknowledge_more { en: "Acknowledge…", es: "Marcar como vista…" }
    acknowledge_title { en: "Acknowledge the difference at {}", es: "Marcar como vista la diferencia de {}" }
    acknowledge_help {
        en: "It stays in the list with your note. If a later comparison does not find it any more, it is resolved by itself.",
        es: "Sigue en la lista con su nota. Si una comparación posterior ya no la encuentra, se resuelve sola.",
    }
    note { en: "Note, kept with the difference", es: "Nota, queda con la diferencia" }
    note_by { en: "{}: “{}”", es: "{}: «{}»" }
    note_done { en: "Noted", es: "Anotado" }
    gone_since { en: "Gone since {}", es: "Ya no está desde {}" }
    none { en: "No differences", es: "No hay diferencias" }
    none_help {
        en: "Compare with a provider to see whether anything is missing.",
        es: "Comparar con un proveedor para ver si falta algo.",
    }
    no_match { en: "No difference matches", es: "Ninguna diferencia coincide" }
    runs { en: "Runs", es: "Comparaciones" }
    runs_lede { en: "Every night, and when somebody asks", es: "Cada noche y cuando alguien lo pide" }
    no_runs { en: "Nothing has been compared yet", es: "Aún no se ha comparado nada" }
    no_runs_help {
        en: "The first comparison runs tonight, or now if you ask for it.",
        es: "La primera comparación sale esta noche, o ahora si la pide.",
    }
    window { en: "Window", es: "Periodo" }
    compared { en: "Compared", es: "Comparados" }
    compared_of { en: "{} of {}", es: "{} de {}" }
    found { en: "Found", es: "Encontrado" }
    found_none { en: "nothing", es: "nada" }
    found_so_far { en: "{} so far", es: "{} hasta ahora" }
    nightly { en: "every night", es: "cada noche" }
    compare_title { en: "Compare with a provider", es: "Comparar con un proveedor" }
    compare_help {
        en: "By the time a payment was made, or an event of Stripe or Paddle happened. Nothing is changed at the provider.",
        es: "Según cuándo se hizo el pago, u ocurrió el evento de Stripe o Paddle. No se cambia nada en el proveedor.",
    }
    backfill { en: "Take in what is missing", es: "Incorporar lo que falta" }
    backfill_help {
        en: "Events of Stripe and Paddle that never came are fetched, stored and delivered as if they came now.",
        es: "Los eventos de Stripe y Paddle que nunca llegaron se piden, se guardan y se entregan como si llegaran ahora.",
    }
    backfilled { en: "{} taken in", es: "{} incorporados" }
    no_sources { en: "No source has API credentials yet", es: "Ningún origen tiene credenciales de API" }
    no_sources_help {
        en: "Give a source its API key, then its books can be compared.",
        es: "Dar a un origen su clave de API para poder comparar sus libros.",
    }
    compare_started { en: "Comparing", es: "Comparando" }
    compare_started_help {
        en: "The run is in the list below and fills as it goes.",
        es: "La comparación está en la lista de abajo y avanza sola.",
    }
}
