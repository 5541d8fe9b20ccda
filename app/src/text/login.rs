//! The log-in page.

texts! {
    email { en: "E-mail", es: "Correo" }
    password { en: "Password", es: "Contraseña" }
    wrong { en: "Wrong e-mail or password.", es: "Correo o contraseña incorrectos." }
    left_one {
        en: "1 attempt left, then this account is locked for 15 minutes.",
        es: "Queda 1 intento; después la cuenta se bloquea 15 minutos.",
    }
    left_many {
        en: "{} attempts left, then this account is locked for 15 minutes.",
        es: "Quedan {} intentos; después la cuenta se bloquea 15 minutos.",
    }
    wait { en: "Too many attempts.", es: "Demasiados intentos." }
    wait_one { en: "Try again in 1 minute.", es: "Vuelva a intentarlo en 1 minuto." }
    wait_many { en: "Try again in {} minutes.", es: "Vuelva a intentarlo en {} minutos." }
    forgot {
        en: "Forgot your password? Ask an admin.",
        es: "¿Ha olvidado la contraseña? Pida una nueva a un administrador.",
    }
}
