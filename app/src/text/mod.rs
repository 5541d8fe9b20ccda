//! Every text of the dashboard, a file for each page, in both languages: a missing text does not compile.

/// Declares the texts of one page in both languages. `{}` stands for a value that `fill` puts there.
macro_rules! texts {
    ($($name:ident { en: $en:literal, es: $es:literal $(,)? })+) => {
        /// The texts of one page in one language.
        #[derive(Debug)]
        pub struct Page {
            $(#[doc = concat!("“", $en, "”")] pub $name: &'static str,)+
        }

        impl Page {
            /// English.
            pub const EN: Self = Self { $($name: $en,)+ };
            /// Spanish: usted for customers, infinitives on buttons.
            pub const ES: Self = Self { $($name: $es,)+ };

            /// Every text with its name.
            #[cfg(test)]
            pub fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name)),+]
            }
        }
    };
}

/// Declares a module for each page, and the struct of all pages.
macro_rules! pages {
    ($($page:ident)+) => {
        $(mod $page;)+

        /// Every text of the dashboard in one language.
        #[derive(Debug)]
        pub struct Texts {
            $(#[doc = concat!("See `text/", stringify!($page), ".rs`.")] pub $page: $page::Page,)+
        }

        impl Texts {
            /// English.
            const EN: Self = Self { $($page: $page::Page::EN,)+ };
            /// Spanish.
            const ES: Self = Self { $($page: $page::Page::ES,)+ };

            /// Every text with its page and name.
            #[cfg(test)]
            pub fn all(&self) -> Vec<(String, &'static str)> {
                let named = |page: &'static str| move |(name, text)| (format!("{page}.{name}"), text);
                let mut all = Vec::new();
                $(all.extend(self.$page.all().into_iter().map(named(stringify!($page))));)+
                all
            }
        }
    };
}

pages! {
    alerts
    attempts
    audit
    common
    deliveries
    delivery
    destinations
    errors
    event
    events
    filters
    frame
    keys
    ladder
    list
    live
    login
    payload
    reconciliation
    rejections
    resends
    rotation
    secrets
    sources
    states
    time
}

mod labels;
mod lang;

pub use lang::Lang;

/// Puts values where a text has `{}`.
pub fn fill(template: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut out = String::with_capacity(template.len() + 32);
    for (index, part) in template.split("{}").enumerate() {
        if index > 0 {
            out.push_str(values.next().copied().unwrap_or_default());
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_in_order() {
        assert_eq!(fill("{} of {}", &["3", "11"]), "3 of 11");
        assert_eq!(fill("plain", &["unused"]), "plain");
        assert_eq!(fill("{}{}", &["a"]), "a");
    }

    #[test]
    fn both_languages_fill_in_as_much() {
        for ((name, english), (_, spanish)) in Lang::En.texts().all().into_iter().zip(Lang::Es.texts().all())
        {
            assert!(!english.is_empty() && !spanish.is_empty(), "{name}");
            assert_eq!(english.matches("{}").count(), spanish.matches("{}").count(), "{name}");
        }
    }

    #[test]
    fn every_text_is_plain_and_in_the_fields_terms() {
        let wrong = [
            "mend",
            "mended",
            "theirs",
            "ours",
            "somebody",
            "anybody",
            "take in",
            "taken in",
            "takes in",
            "used up",
            "by hand",
            "refused",
            "refuses",
            "in words",
            "nothing came",
            "usual are",
            "agotado",
            "a mano",
            "apañar",
        ];
        for lang in [Lang::En, Lang::Es] {
            for (name, text) in lang.texts().all() {
                let is_letter = |letter: char| letter.is_alphanumeric();
                let words =
                    text.to_lowercase().split(|letter| !is_letter(letter)).collect::<Vec<_>>().join(" ");
                for wrong in wrong {
                    assert!(!format!(" {words} ").contains(&format!(" {wrong} ")), "{name}: {text}");
                }
            }
        }
    }

    #[test]
    fn months_and_days_are_complete() {
        for lang in [Lang::En, Lang::Es] {
            assert_eq!(lang.texts().time.months.split(' ').count(), 12);
            assert_eq!(lang.texts().time.weekdays.split(' ').count(), 7);
        }
    }
}
