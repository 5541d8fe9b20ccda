//! Times and durations.

texts! {
    now { en: "now", es: "ahora" }
    decimal_mark { en: ".", es: "," }
    ago { en: "{} ago", es: "hace {}" }
    in_time { en: "in {}", es: "dentro de {}" }
    tomorrow { en: "tomorrow", es: "mañana" }
    yesterday { en: "yesterday", es: "ayer" }
    weekdays { en: "Mon Tue Wed Thu Fri Sat Sun", es: "lun mar mié jue vie sáb dom" }
    months {
        en: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        es: "ene feb mar abr may jun jul ago sept oct nov dic",
    }
    took { en: "took {}", es: "tardó {}" }
}
