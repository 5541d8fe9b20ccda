//! What stands around lists.

texts! {
    all { en: "All", es: "Todas" }
    newer { en: "Newer", es: "Más nuevas" }
    older { en: "Older", es: "Más antiguas" }
    newer_events { en: "Newer", es: "Más nuevos" }
    older_events { en: "Older", es: "Más antiguos" }
    pages { en: "Pages", es: "Páginas" }
    rows { en: "Rows", es: "Filas" }
    rows_one { en: "1 row", es: "1 fila" }
    rows_many { en: "{} rows", es: "{} filas" }
    rows_span { en: ", received {} to {}", es: ", recibidas de {} a {}" }
    end_of_list { en: "This is the end of the list", es: "Aquí termina la lista" }
    first_page { en: "To the newest", es: "A lo más nuevo" }
}
