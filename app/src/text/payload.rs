//! Headers and bodies.

texts! {
    headers_one { en: "1 header", es: "1 cabecera" }
    headers_many { en: "{} headers", es: "{} cabeceras" }
    no_headers { en: "No headers stored.", es: "No hay cabeceras guardadas." }
    body_of { en: "Body, {}", es: "Cuerpo, {}" }
    body { en: "Body", es: "Cuerpo" }
    empty { en: "The body is empty.", es: "El cuerpo está vacío." }
    cut {
        en: "Only the beginning is shown. Download the exact bytes for the rest.",
        es: "Solo se muestra el principio. Descargue los bytes exactos para ver el resto.",
    }
    bom { en: "Starts with a byte order mark.", es: "Empieza con una marca de orden de bytes." }
    crlf { en: "Lines end in CR LF.", es: "Las líneas terminan en CR LF." }
    not_utf8 {
        en: "Some bytes are not UTF-8 and appear as �.",
        es: "Algunos bytes no son UTF-8 y aparecen como �.",
    }
    not_text {
        en: "Not text: each row shows sixteen bytes, and the characters among them.",
        es: "No es texto: cada fila muestra dieciséis bytes y los caracteres entre ellos.",
    }
    exact_bytes { en: "Exact bytes, {}", es: "Bytes exactos, {}" }
}
