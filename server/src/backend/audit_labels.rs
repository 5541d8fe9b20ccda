//! The audit in words. The server alone says them, so that the browser need not carry them.

use app::secrets::TestFinding;
use app::text::{Lang, Texts, fill};
use app::ui::format;
use serde_json::Value;

use crate::domain::audit::{COMMAND_LINE, action};

/// In one language: what an action is called, and what somebody did; `{}` stands for what they did it to.
type Labels = (&'static str, &'static str);

/// Every action in English and in Spanish.
const ACTIONS: &[(&str, Labels, Labels)] = &[
    (
        action::ALERT_ACKNOWLEDGED,
        ("Alert acknowledged", "Acknowledged alert {}"),
        ("Alerta atendida", "Atendió la alerta {}"),
    ),
    (
        action::DELIVERIES_RESENT,
        ("Bulk resend started", "Started bulk resend {}"),
        ("Reenvío masivo iniciado", "Inició el reenvío masivo {}"),
    ),
    (
        action::DELIVERY_RESENT,
        ("Delivery resent", "Resent delivery {}"),
        ("Entrega reenviada", "Reenvió la entrega {}"),
    ),
    (
        action::DESTINATION_CHANGED,
        ("Destination changed", "Changed the {}"),
        ("Destino cambiado", "Cambió el {}"),
    ),
    (
        action::DESTINATION_CREATED,
        ("Destination created", "Created the {}"),
        ("Destino creado", "Creó el {}"),
    ),
    (
        action::DESTINATION_DELETED,
        ("Destination deleted", "Deleted the {}"),
        ("Destino eliminado", "Eliminó el {}"),
    ),
    (
        action::DESTINATION_PAUSED,
        ("Destination paused", "Paused the {}"),
        ("Destino en pausa", "Pausó el {}"),
    ),
    (
        action::DESTINATION_RESUMED,
        ("Destination resumed", "Resumed the {}"),
        ("Destino reanudado", "Reanudó el {}"),
    ),
    (
        action::DESTINATION_TESTED,
        ("Signatures tested", "Tested how the {} verifies signatures"),
        ("Firmas probadas", "Probó cómo verifica las firmas el {}"),
    ),
    (
        action::DIFFERENCE_ACKNOWLEDGED,
        ("Difference acknowledged", "Acknowledged difference {}"),
        ("Diferencia vista", "Marcó como vista la diferencia {}"),
    ),
    (
        action::EVENT_DELIVERED,
        ("Event delivered manually", "Delivered an event manually, as delivery {}"),
        ("Evento entregado manualmente", "Entregó un evento manualmente, como entrega {}"),
    ),
    (
        action::EVENT_RELEASED,
        ("Event released", "Released event {}"),
        ("Evento liberado", "Liberó el evento {}"),
    ),
    (
        action::KEYS_ROTATED,
        ("Master key rotated", "Encrypted every secret with a new master key"),
        ("Clave maestra rotada", "Cifró todos los secretos con una clave maestra nueva"),
    ),
    (
        action::LOGIN_FAILED,
        ("Log-in failed", "Failed to log in as {}"),
        ("Inicio de sesión fallido", "No pudo iniciar sesión como {}"),
    ),
    (action::LOGIN_SUCCEEDED, ("Log-in", "Logged in as {}"), ("Inicio de sesión", "Inició sesión como {}")),
    (
        action::RECONCILIATION_STARTED,
        ("Reconciliation started", "Started a reconciliation of the {}"),
        ("Conciliación iniciada", "Inició una conciliación del {}"),
    ),
    (
        action::REJECTION_REVERIFIED,
        ("Rejection verified again", "Verified rejection {} again"),
        ("Rechazo verificado de nuevo", "Verificó de nuevo el rechazo {}"),
    ),
    (
        action::REJECTIONS_REVERIFIED,
        ("All rejections verified again", "Verified all rejections of the {} again"),
        ("Todos los rechazos verificados de nuevo", "Verificó de nuevo todos los rechazos del {}"),
    ),
    (
        action::RESEND_CANCELLED,
        ("Bulk resend cancelled", "Cancelled bulk resend {}"),
        ("Reenvío masivo cancelado", "Canceló el reenvío masivo {}"),
    ),
    (
        action::SECRET_EXTENDED,
        ("Secret extended", "Extended a secret of the {}"),
        ("Secreto prolongado", "Aplazó la caducidad de un secreto del {}"),
    ),
    (
        action::SECRET_MADE,
        ("First secret created", "Created the first secret of the {}"),
        ("Primer secreto creado", "Creó el primer secreto del {}"),
    ),
    (
        action::SECRET_RETIRED,
        ("Secret retired", "Retired a secret of the {}"),
        ("Secreto retirado", "Retiró un secreto del {}"),
    ),
    (
        action::SECRET_ROTATED,
        ("Secret rotated", "Rotated the secret of the {}"),
        ("Secreto rotado", "Rotó el secreto del {}"),
    ),
    (
        action::SECRET_SHOWN,
        ("Secret shown", "Viewed the new secret of the {}, shown once"),
        ("Secreto mostrado", "Vio el secreto nuevo del {}, que se muestra una vez"),
    ),
    (
        action::SECRET_UNDONE,
        ("Rotation undone", "Undid the rotation of the {}"),
        ("Rotación deshecha", "Deshizo la rotación del {}"),
    ),
    (action::SOURCE_CHANGED, ("Source changed", "Changed the {}"), ("Origen cambiado", "Cambió el {}")),
    (action::SOURCE_CREATED, ("Source created", "Created the {}"), ("Origen creado", "Creó el {}")),
    (action::SOURCE_DELETED, ("Source deleted", "Deleted the {}"), ("Origen eliminado", "Eliminó el {}")),
    (action::TOKEN_CREATED, ("Token created", "Created the token {}"), ("Token creado", "Creó el token {}")),
    (action::USER_ADDED, ("User added", "Added the user {}"), ("Usuario añadido", "Añadió al usuario {}")),
];

/// What is told more of an action, in English and in Spanish. Members that are not here say what is said already.
const MEMBERS: &[(&str, &str, &str)] = &[
    ("api", "API", "API"),
    ("backfill", "imports missing events", "importa los eventos que faltan"),
    ("destination", "destination", "destino"),
    ("dropped", "keys dropped", "claves retiradas"),
    ("duplicate", "duplicates", "duplicados"),
    ("ends", "expires", "caduca"),
    ("event", "event", "evento"),
    ("event_id", "event", "evento"),
    ("events", "types", "tipos"),
    ("fingerprint", "secret", "secreto"),
    ("format", "format", "formato"),
    ("from", "from", "desde"),
    ("goes_on", "stays active without an expiry:", "sigue sin caducidad:"),
    ("jitter_percent", "jitter, percent", "variación, por ciento"),
    ("key", "key", "clave"),
    ("ladder", "retry intervals", "intervalos"),
    ("last_used_at", "last used", "último uso"),
    ("matches", "uses", "usos"),
    ("max_in_flight", "concurrent attempts", "intentos simultáneos"),
    ("mode", "mode", "modo"),
    ("not_kept", "not stored", "no guardado"),
    ("overlap_s", "both active for", "ambos activos"),
    ("provider", "sender", "emisor"),
    ("rate_per_s", "per second", "por segundo"),
    ("reconciliation", "run", "conciliación"),
    ("rejected", "rejected", "rechazados"),
    ("role", "role", "rol"),
    ("sealed", "secrets encrypted", "secretos cifrados"),
    ("signature_order", "order of signatures", "orden de las firmas"),
    ("sources", "sources", "orígenes"),
    ("status", "result", "resultado"),
    ("stored", "stored", "guardados"),
    ("timeout_ms", "timeout of an attempt, ms", "límite de un intento, ms"),
    ("to", "to", "hasta"),
    ("tolerance_s", "clock tolerance", "tolerancia del reloj"),
    ("until", "until", "hasta"),
    ("url", "address", "dirección"),
];

/// Every action by its code, with what it is called.
pub(super) fn actions(lang: Lang) -> Vec<(String, String)> {
    let named = |(code, en, es): &(&str, Labels, Labels)| {
        let (name, _) = one_of(lang, *en, *es);
        ((*code).to_owned(), name.to_owned())
    };
    ACTIONS.iter().map(named).collect()
}

/// What somebody did, and to what. An action that is not known, as of a later version, is told by its code.
pub(super) fn describe_action(lang: Lang, action: &str, subject: &str) -> String {
    match ACTIONS.iter().find(|(code, ..)| *code == action) {
        Some((_, en, es)) => fill(one_of(lang, *en, *es).1, &[&named(lang, subject)]),
        None => format!("{action} {subject}"),
    }
}

/// `source shop`; of what is told apart by its action the name alone.
fn named(lang: Lang, subject: &str) -> String {
    match subject.split_once('/') {
        Some(("source", name)) => format!("{} {name}", one_of(lang, "source", "origen")),
        Some(("destination", name)) => format!("{} {name}", one_of(lang, "destination", "destino")),
        Some((_, name)) => name.to_owned(),
        None => subject.to_owned(),
    }
}

/// The page that shows what it was done to.
pub(super) fn page_of(subject: &str) -> Option<String> {
    let (kind, name) = subject.split_once('/')?;
    match kind {
        "delivery" => Some(format!("/deliveries/{name}")),
        "event" => Some(format!("/events/{name}")),
        "rejection" => Some(format!("/rejections/{name}")),
        "resend" => Some(format!("/resends/{name}")),
        _ => None,
    }
}

/// Who, as people call them.
pub(super) fn actor_name(lang: Lang, actor: String) -> String {
    match (lang, actor.as_str()) {
        (Lang::Es, COMMAND_LINE) => "línea de comandos".to_owned(),
        _ => actor,
    }
}

/// `secret c71e0b12, both count for 1 d`. What is empty is left out, and what is nested too: the API has it.
pub(super) fn in_a_line(lang: Lang, detail: &Value) -> String {
    let Value::Object(members) = detail else { return detail.to_string() };
    let told = members.iter().filter_map(|(member, value)| {
        if member == "finding" {
            return serde_json::from_value(value.clone()).ok().map(|it| found(lang.texts(), it).to_owned());
        }
        let (_, en, es) = MEMBERS.iter().find(|(known, ..)| known == member)?;
        let name = one_of(lang, *en, *es);
        match value {
            Value::Bool(is_so) => is_so.then(|| name.to_owned()),
            _ => Some(format!("{name} {}", value_of(member, value)?)),
        }
    });
    told.collect::<Vec<_>>().join(", ")
}

fn value_of(member: &str, value: &Value) -> Option<String> {
    match value {
        Value::Number(seconds) if member.ends_with("_s") && member != "rate_per_s" => {
            seconds.as_i64().map(format::duration)
        }
        Value::String(text) => Some(text.clone()),
        Value::Number(_) => Some(value.to_string()),
        Value::Array(items) => {
            let texts: Option<Vec<_>> = items.iter().map(Value::as_str).collect();
            texts.filter(|texts| !texts.is_empty()).map(|texts| texts.join(" "))
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

const fn found(text: &Texts, finding: TestFinding) -> &'static str {
    match finding {
        TestFinding::Ready => text.rotation.found_ready_help,
        TestFinding::OldOnly => text.rotation.found_old_only_title,
        TestFinding::NewButNoList => text.rotation.found_no_list_title,
        TestFinding::OldAndNoList => text.rotation.found_old_no_list_title,
        TestFinding::TakesNone => text.rotation.found_none_title,
        TestFinding::NotVerified => text.rotation.found_unverified_title,
    }
}

fn one_of<T>(lang: Lang, en: T, es: T) -> T {
    match lang {
        Lang::En => en,
        Lang::Es => es,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_action_has_words_in_both_languages() {
        let known: Vec<_> = ACTIONS.iter().map(|(code, ..)| *code).collect();
        assert_eq!(known, action::ALL, "each of them, in the same order");
        for (code, en, es) in ACTIONS {
            for (name, did) in [en, es] {
                assert!(!name.is_empty() && !name.contains(['.', '{']), "{code}: {name}");
                assert_eq!(did.matches("{}").count(), usize::from(*code != action::KEYS_ROTATED), "{code}");
            }
            assert!(en != es, "{code}");
        }
    }

    #[test]
    fn an_entry_is_a_sentence() {
        let told = |lang| {
            [
                ("secret.rotated", "source/shop"),
                ("secret.retired", "destination/erp"),
                ("delivery.resent", "delivery/7"),
                ("user.added", "user/ana@shop.test"),
                ("keys.rotated", "keys"),
                ("moon.landed", "moon/1"),
            ]
            .map(|(action, subject)| describe_action(lang, action, subject))
        };
        assert_eq!(
            told(Lang::En),
            [
                "Rotated the secret of the source shop",
                "Retired a secret of the destination erp",
                "Resent delivery 7",
                "Added the user ana@shop.test",
                "Encrypted every secret with a new master key",
                "moon.landed moon/1",
            ]
        );
        assert_eq!(
            told(Lang::Es),
            [
                "Rotó el secreto del origen shop",
                "Retiró un secreto del destino erp",
                "Reenvió la entrega 7",
                "Añadió al usuario ana@shop.test",
                "Cifró todos los secretos con una clave maestra nueva",
                "moon.landed moon/1",
            ]
        );
        assert_eq!(actor_name(Lang::Es, COMMAND_LINE.to_owned()), "línea de comandos");
        assert_eq!(page_of("delivery/7").as_deref(), Some("/deliveries/7"));
        assert_eq!(page_of("keys"), None);
    }

    #[test]
    fn a_detail_is_a_line() {
        let detail = json!({"secret": "sec_1", "fingerprint": "c71e", "overlap_s": 3600, "beside": [{"a": 1}], "ends": null,
            "events": ["a", "b"]});
        assert_eq!(in_a_line(Lang::En, &detail), "types a b, secret c71e, both active for 1 h");
        assert_eq!(in_a_line(Lang::Es, &detail), "tipos a b, secreto c71e, ambos activos 1 h");
        let asked = |backfill| json!({"backfill": backfill, "reconciliation": 3});
        assert_eq!(in_a_line(Lang::En, &asked(true)), "imports missing events, run 3");
        assert_eq!(in_a_line(Lang::Es, &asked(false)), "conciliación 3");
        let tested = json!({"at": "2026-01-01T00:00:00Z", "finding": "ready", "all": {"status": 200}});
        assert_eq!(
            in_a_line(Lang::En, &tested),
            "The server accepts the new secret alone, and both signatures together."
        );
        assert!(MEMBERS.is_sorted());
    }
}
