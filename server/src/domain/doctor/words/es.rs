//! Spanish.

use app::types::{NotKept, RejectionReason};

use super::{Finding, Interpretation, KeyForm, SecretEdit, length, mode, moment, seconds};
use crate::domain::doctor::Change;
use crate::domain::signature::FlawKind;

/// A quién pedírselo cuando ha cambiado el cuerpo.
const UNTOUCHED: &str = "Algo entre el remitente y Acuse reescribe los cuerpos: pida a quien lo administra que los deje \
                         pasar intactos.";

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn describe(finding: &Finding) -> (String, String) {
    match finding {
        Finding::SourceGone => ("El origen se eliminó".to_owned(), "El origen que lo rechazó se eliminó. Cree uno con este nombre y el secreto del proveedor, y verifique de nuevo.".to_owned()),
        Finding::NoScheme => (
            "El origen no dice cómo firma quien envía".to_owned(),
            "Los ajustes del origen no dicen cómo firma quien envía, así que lo rechaza todo. Ponga su esquema y verifique de nuevo.".to_owned(),
        ),
        Finding::NoActiveSecret => (
            "El origen no tiene ningún secreto activo".to_owned(),
            "El origen no tiene ningún secreto activo, así que lo rechaza todo. Pegue el secreto que el proveedor \
             muestra para este endpoint y verifique de nuevo."
                .to_owned(),
        ),
        Finding::UnusableSecret(form) => (
            "El secreto no se puede leer".to_owned(),
            format!(
                "Ningún secreto activo del origen se puede leer como {}. Cópielo otra vez del proveedor, entero y sin \
                 nada más, y verifique de nuevo.",
                key_form(*form)
            ),
        ),
        Finding::BodyNotWhole(kept, size) => (
            "No se guarda todo el cuerpo".to_owned(),
            format!(
                "Solo se guardan los primeros {kept} de sus {size} bytes, así que no se puede comprobar su firma ni \
                 importar el evento. Pida al proveedor que lo envíe de nuevo cuando la causa esté corregida."
            ),
        ),
        Finding::TokenNotKept(header) => (
            "El secreto que llegó no se guarda".to_owned(),
            format!(
                "Este remitente no firma nada: la cabecera {header} es el propio secreto y no se guarda nunca. Por eso no \
                 se puede comprobar ni importar. Compare el secreto del remitente con el de este origen y pida que lo \
                 envíe de nuevo."
            ),
        ),
        Finding::TokenUnknown(header, secrets) => (
            "Ningún secreto coincide con el que llegó".to_owned(),
            format!(
                "Este remitente no firma nada: la cabecera {header} es el propio secreto. {} Ninguno coincide con el que llegó. \
                 Compare el secreto del remitente con el de este origen.",
                tried(*secrets)
            ),
        ),
        Finding::HeaderMissing(header) => (
            format!("Falta {header}"),
            format!(
                "La cabecera {header} no llegó. O quien envía no es el proveedor de este origen, o un proxy la quita: \
                 pida que deje pasar {header}."
            ),
        ),
        Finding::OtherScheme(header, scheme) => (
            format!("En su lugar está {header}"),
            format!(
                "Trae {header}, que es del esquema {scheme}. Compruebe en ese proveedor a qué dirección envía: debe ser \
                 la URL de recepción de un origen de ese tipo."
            ),
        ),
        Finding::HeaderRepeated(header, times) => (
            format!("{header} está {times} veces"),
            format!(
                "La cabecera {header} llegó {times} veces y debe llegar una. Es probable que un proxy la añada otra \
                 vez: pida que la deje como se envió."
            ),
        ),
        Finding::HeaderMalformed(header, kind, at) => (
            format!("{header} está mal formada en el carácter {at}"),
            format!(
                "La cabecera {header} está mal formada en el carácter {at}: {}. O un proxy la cambia, o quien envía no \
                 es el proveedor de este origen.",
                flaw(*kind)
            ),
        ),
        Finding::NoSignaturesInBody => (
            "El cuerpo no trae firmas".to_owned(),
            "Este proveedor pone sus firmas en el cuerpo, y en este no hay. O las firmas HMAC no están activadas en el \
             proveedor, o lo envió otro."
                .to_owned(),
        ),
        Finding::SignatureUnreadable(header, at, length) => (
            format!("La firma en el carácter {at} de {header} no puede serlo"),
            format!(
                "En la cabecera {header}, los {length} caracteres desde el carácter {at} no tienen la longitud o el \
                 alfabeto de una firma de este proveedor. Se cortó o se reescribió por el camino, o se hizo de otra \
                 manera: pida que quien envía registre la cabecera que envía, y compárelas."
            ),
        ),
        Finding::TimeAhead(by, tolerance) => (
            format!("El reloj de quien envía va {} por delante", length(*by)),
            format!(
                "La hora de la firma va {} por delante de nuestro reloj; se permiten {}. Compruebe que el \
                 reloj de este servidor está bien. Si lo está y llegan más, permita más segundos en este origen y \
                 verifique de nuevo.",
                seconds(*by),
                seconds(*tolerance)
            ),
        ),
        Finding::TimeBehind(by, tolerance) => (
            format!("Se firmó {} antes de llegar", length(*by)),
            format!(
                "La hora de la firma va {} por detrás de nuestro reloj; se permiten {}. O esperó por el \
                 camino, o alguien repite una petición antigua, o un reloj va mal. Compruebe el reloj de este servidor \
                 y después pregunte a quien envía por qué llegó tarde.",
                seconds(*by),
                seconds(*tolerance)
            ),
        ),
        Finding::TimeInMilliseconds(time) => (
            "La hora está en milisegundos".to_owned(),
            format!(
                "La hora de la firma es {time}, que cuenta milisegundos; este proveedor cuenta segundos. Pida que quien \
                 envía divida entre 1000 antes de firmar."
            ),
        ),
        Finding::SignatureGood(secret) => (
            "La firma coincide".to_owned(),
            format!(
                "Salvo la hora es correcta: el secreto {secret} de este origen firmó exactamente los bytes que llegaron."
            ),
        ),
        Finding::GoodNow(secret) => (
            "Ahora es correcta".to_owned(),
            format!(
                "Con los secretos actuales es correcta: la firmó el secreto {secret}. Verifíquela de nuevo para guardarla."
            ),
        ),
        Finding::ExpiredSecret(secret, since) => (
            format!("Firmado con el secreto {secret}, que caducó el {}", moment(*since)),
            format!(
                "Se firmó con el secreto {secret} de este origen, que caducó el {}. Revise los endpoints en el \
                 proveedor: uno sigue firmando con el secreto antiguo. Antes de recuperarlo, averigüe por qué se \
                 retiró.",
                moment(*since)
            ),
        ),
        Finding::OtherSourceSecret(secret, source, its_mode) => (
            format!("Firmado con el secreto de {source}"),
            format!(
                "Se firmó con el secreto {secret}, que es del origen {source} ({}). En el proveedor, apunte este \
                 endpoint a /webhooks/{source}, o pegue su secreto aquí si se pegó allí por error.",
                mode(*its_mode)
            ),
        ),
        Finding::OtherReading(secret, reading, ours) => (
            "El secreto se lee de otra manera".to_owned(),
            format!(
                "Coincide si el secreto {secret} se lee como {}; este origen lo lee como {}. Ponga en este origen el \
                 esquema que lo lee así, o pegue el secreto en esa forma.",
                self::reading(*reading),
                key_form(*ours)
            ),
        ),
        Finding::BodyChanged(change, secret) => {
            let (title, how) = self::change(*change);
            (title.to_owned(), format!("{how} coincide con el secreto {secret}. {UNTOUCHED}"))
        }
        Finding::OtherUrl(url, ours) => (
            "Se firmó para otra dirección".to_owned(),
            format!(
                "Este proveedor firma la dirección a la que envía. Coincide con {url}; este origen tiene {ours}. Haga \
                 que sean iguales, letra por letra."
            ),
        ),
        Finding::EmptyBody => (
            "El cuerpo está vacío".to_owned(),
            "No llegó ningún cuerpo. Una redirección o un proxy lo pierde: que el proveedor envíe a la propia URL de \
             recepción, letra por letra, con https y sin barra al final."
                .to_owned(),
        ),
        Finding::Unpacked(encoding) => (
            "El cuerpo se descomprimió por el camino".to_owned(),
            format!(
                "Su cabecera dice que el cuerpo está comprimido con {encoding}, y no lo está: algo entre quien envía y \
                 Acuse lo descomprimió. Pida a quien lo administra que deje pasar los cuerpos intactos y que se envíe \
                 otra vez."
            ),
        ),
        Finding::TimeRight(by, tolerance) => (
            "La hora es correcta".to_owned(),
            format!(
                "La hora de la firma se aparta {} de nuestro reloj; se permiten {}. No es el reloj.",
                length(by.saturating_abs()),
                length(*tolerance)
            ),
        ),
        Finding::Proxy(header, value) => (
            "Llegó a través de un proxy".to_owned(),
            format!(
                "Llegó a través de un proxy ({header}: {value}). Los proxies que descomprimen, filtran o reescriben \
                 cuerpos o cabeceras rompen las firmas: revíselos primero."
            ),
        ),
        Finding::NothingMatches(secrets) => (
            "Se firmó con un secreto que aquí no se conoce".to_owned(),
            format!(
                "{} Ninguno coincide con esta firma, en ninguna codificación, ni con los cambios habituales de un cuerpo por el camino. \
                 Copie en el proveedor el secreto de este endpoint y péguelo aquí como nuevo. Si es el que ya está aquí, \
                 algo por el camino reescribió el cuerpo: pregunte a quien lo administra.",
                tried(*secrets)
            ),
        ),
    }
}

fn tried(secrets: usize) -> String {
    match secrets {
        1 => "Se probó 1 secreto.".to_owned(),
        secrets => format!("Se probaron {secrets} secretos."),
    }
}

pub(super) const fn not_kept(part: NotKept) -> &'static str {
    match part {
        NotKept::Body => {
            "No se puede verificar de nuevo: es demasiado grande para guardarse entero. Pida que se envíe \
             otra vez cuando la causa esté corregida."
        }
        NotKept::Token => {
            "No se puede verificar de nuevo: trae el propio secreto en una cabecera, que no se guarda nunca. Pida \
             que se envíe otra vez cuando la causa esté corregida."
        }
    }
}

pub(super) const fn still_refused(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::SignatureMismatch => {
            "Ninguno de los secretos actuales coincide con su firma. Su página muestra cuál coincidiría."
        }
        RejectionReason::TimestampTooOld => {
            "Se firmó demasiado antes de llegar. Aumente la tolerancia del reloj del origen, si procede, y verifique de nuevo."
        }
        RejectionReason::TimestampTooNew => {
            "Se firmó demasiado por delante de nuestro reloj. Aumente la tolerancia del reloj del origen, si procede, y verifique \
             de nuevo."
        }
        RejectionReason::MissingHeader => {
            "Falta la cabecera con su firma, así que ningún secreto puede verificarlo. Averigüe qué la quita y pida que se envíe otra vez."
        }
        RejectionReason::MalformedHeader => {
            "La cabecera con su firma está mal formada, así que ningún secreto puede verificarlo. Su página muestra dónde."
        }
        RejectionReason::BadSecret => {
            "El origen no tiene un secreto que pueda verificarlo. Pegue el de este endpoint y verifique de nuevo."
        }
    }
}

const fn key_form(form: KeyForm) -> &'static str {
    match form {
        KeyForm::Raw => "texto, letra por letra",
        KeyForm::Base64 => "base64",
        KeyForm::Hex => "dígitos hexadecimales",
    }
}

fn reading(reading: Interpretation) -> String {
    let form = key_form(reading.form);
    match reading.edit {
        SecretEdit::None => form.to_owned(),
        SecretEdit::WithoutPrefix => format!("{form}, sin su comienzo whsec_"),
        SecretEdit::Trimmed => format!("{form}, sin el espacio en blanco de los extremos"),
        SecretEdit::WithLineEnd => format!("{form}, con un fin de línea detrás"),
    }
}

const fn flaw(kind: FlawKind) -> &'static str {
    match kind {
        FlawKind::Absent => "no está",
        FlawKind::Repeated => "está más de una vez",
        FlawKind::NoTime => "no trae la hora",
        FlawKind::TwoTimes => "ahí empieza una segunda hora",
        FlawKind::NotATime => "la hora no es un número de 1 a 18 cifras",
        FlawKind::NoSignature => "no trae ninguna firma",
        FlawKind::NoPrefix => "la firma no empieza como debe",
        FlawKind::NoId => "el identificador está vacío",
        FlawKind::NotTheBody => "el cuerpo no es el JSON que trae las firmas",
    }
}

const fn change(change: Change) -> (&'static str, &'static str) {
    match change {
        Change::LineEndsToCrLf => {
            ("Cambiaron los fines de línea", "Con LF en lugar de CR LF en los fines de línea")
        }
        Change::LineEndsToLf => {
            ("Cambiaron los fines de línea", "Con CR LF en lugar de LF en los fines de línea")
        }
        Change::BomAdded => {
            ("Se añadió una marca de orden de bytes", "Sin la marca de orden de bytes del principio")
        }
        Change::BomLost => {
            ("Se perdió una marca de orden de bytes", "Con una marca de orden de bytes al principio")
        }
        Change::LineEndAdded => ("Se añadió un fin de línea", "Con un fin de línea menos al final"),
        Change::LineEndLost => ("Se perdió un fin de línea", "Con un fin de línea más al final"),
        Change::WhiteSpaceAdded => {
            ("Se añadió espacio en blanco", "Sin el espacio en blanco de los extremos")
        }
        Change::JsonWasCompact => ("Se reescribió el JSON", "Como JSON compacto, sin espacios,"),
        Change::JsonWasSpaced => {
            ("Se reescribió el JSON", "Como JSON con un espacio tras cada coma y dos puntos")
        }
        Change::JsonWasIndented => ("Se reescribió el JSON", "Como JSON con sangría"),
        Change::JsonWasEscaped => {
            ("Se reescribió el JSON", "Como JSON cuyas barras o letras se escapan de otra manera")
        }
        Change::IntoBase64 => ("El cuerpo se puso en base64", "Descodificado de base64"),
        Change::IntoString => {
            ("El cuerpo se puso en una cadena de JSON", "Sacado de la cadena de JSON en que está")
        }
    }
}
