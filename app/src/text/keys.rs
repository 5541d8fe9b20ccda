//! The list of keys.

texts! {
    title { en: "Keyboard shortcuts", es: "Atajos de teclado" }
    search { en: "Search", es: "Buscar" }
    next { en: "Next row", es: "Fila siguiente" }
    previous { en: "Previous row", es: "Fila anterior" }
    open { en: "Open the row", es: "Abrir la fila" }
    pick { en: "Select the row; with Shift, up to here", es: "Seleccionar la fila; con Mayús, hasta aquí" }
    resend { en: "Resend the row or the delivery", es: "Reenviar la fila o la entrega" }
    filter { en: "Go to the first filter", es: "Ir al primer filtro" }
    pages { en: "Newer, older page", es: "Página más nueva, más antigua" }
    pause { en: "Pause or resume updates", es: "Pausar o reanudar la actualización" }
    up { en: "Back to the list", es: "Volver a la lista" }
    help { en: "This list", es: "Esta lista" }
    then { en: "{} then {}", es: "{} y luego {}" }
}
