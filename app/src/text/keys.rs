//! The list of keys.

texts! {
    title { en: "Keys", es: "Teclas" }
    search { en: "Search", es: "Buscar" }
    next { en: "Next row", es: "Fila siguiente" }
    previous { en: "Previous row", es: "Fila anterior" }
    open { en: "Open the row", es: "Abrir la fila" }
    pick { en: "Select the row; with Shift up to here", es: "Seleccionar la fila; con Mayús, hasta aquí" }
    resend { en: "Resend the row or the delivery", es: "Reenviar la fila o la entrega" }
    filter { en: "First filter", es: "Primer filtro" }
    pages { en: "Newer, older", es: "Más nuevas, más antiguas" }
    pause { en: "Pause or go on renewing", es: "Pausar o seguir actualizando" }
    up { en: "Up to the list", es: "A la lista" }
    help { en: "This list", es: "Esta lista" }
    then { en: "{} then {}", es: "{} y luego {}" }
}
