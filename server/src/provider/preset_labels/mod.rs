//! What people are told of a preset, in both languages. Only the server says it, so that the browser need not carry the
//! words.

mod en;
mod es;

use app::text::Lang;

use super::presets::Preset;

/// What people are told of a preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    /// Where the sender shows the secret, and what to do there.
    pub setup: &'static str,
    /// What its signatures do not prove, and what to do about that.
    pub caution: Option<&'static str>,
}

/// Says it.
pub const fn labels(preset: &Preset, lang: Lang) -> Labels {
    match lang {
        Lang::En => en::labels(preset.scheme),
        Lang::Es => es::labels(preset.scheme),
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets;
    use super::*;
    use crate::domain::signature::Scheme;

    #[test]
    fn what_does_not_sign_the_body_has_a_caution() {
        for preset in presets::ALL {
            for lang in [Lang::En, Lang::Es] {
                let Labels { setup, caution } = labels(preset, lang);
                assert!(setup.len() > 20 && setup.ends_with('.') && !setup.contains("  "), "{setup}");
                let proves = preset.scheme.policy().signs_body() || preset.scheme == Scheme::AdyenStandard;
                assert_eq!(caution.is_none(), proves, "{}", preset.name);
                assert!(caution.is_none_or(|it| it.ends_with('.') && !it.contains("  ")), "{caution:?}");
            }
        }
    }
}
