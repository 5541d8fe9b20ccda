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
    end_of_list { en: "End of the list", es: "Fin de la lista" }
    first_page { en: "Go to the newest", es: "Ir a lo más nuevo" }
}
