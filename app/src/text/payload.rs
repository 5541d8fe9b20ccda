//! Headers and bodies.

texts! {
    headers_one { en: "1 header", es: "1 cabecera" }
    headers_many { en: "{} headers", es: "{} cabeceras" }
    no_headers { en: "No headers were kept.", es: "No se guardaron cabeceras." }
    body_of { en: "Body, {}", es: "Cuerpo, {}" }
    body { en: "Body", es: "Cuerpo" }
    empty { en: "The body is empty.", es: "El cuerpo está vacío." }
    cut {
        en: "Only the beginning is shown. The exact bytes have all of it.",
        es: "Solo se muestra el principio. Los bytes exactos lo tienen todo.",
    }
    bom { en: "It begins with a byte order mark.", es: "Empieza por una marca de orden de bytes." }
    crlf { en: "Its lines end in CR LF.", es: "Sus líneas terminan en CR LF." }
    not_utf8 {
        en: "Some of its bytes are no UTF-8 and show as �.",
        es: "Algunos de sus bytes no son UTF-8 y se ven como �.",
    }
    not_text {
        en: "It is no text: each line shows sixteen bytes, and the letters among them.",
        es: "No es texto: cada línea muestra dieciséis bytes y las letras que hay entre ellos.",
    }
    exact_bytes { en: "Exact bytes, {}", es: "Bytes exactos, {}" }
}
