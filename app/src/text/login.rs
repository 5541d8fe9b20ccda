//! The log-in page.

texts! {
    email { en: "E-mail", es: "Correo" }
    password { en: "Password", es: "Contraseña" }
    wrong {
        en: "That e-mail and password do not go together.",
        es: "Ese correo y esa contraseña no van juntos.",
    }
    left_one {
        en: "1 try is left, then this account waits 15 minutes.",
        es: "Queda 1 intento; después esta cuenta espera 15 minutos.",
    }
    left_many {
        en: "{} tries are left, then this account waits 15 minutes.",
        es: "Quedan {} intentos; después esta cuenta espera 15 minutos.",
    }
    wait { en: "Too many tries.", es: "Demasiados intentos." }
    wait_one { en: "Wait 1 minute, then try again.", es: "Esperar 1 minuto y volver a intentarlo." }
    wait_many { en: "Wait {} minutes, then try again.", es: "Esperar {} minutos y volver a intentarlo." }
    forgot {
        en: "Forgot the password? Ask an admin.",
        es: "¿Ha olvidado la contraseña? Pedirla a un administrador.",
    }
}
