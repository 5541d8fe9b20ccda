//! Which events a destination is subscribed to.

/// Whether one of the patterns takes the name: `*`, a name, or the beginning of one and `*`, such as `invoice.*`.
pub fn takes(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => pattern == name,
    })
}

#[cfg(test)]
mod tests {
    use super::takes;

    #[test]
    fn a_star_stands_for_the_rest() {
        let takes = |pattern: &str, name| takes(&[pattern.to_owned()], name);
        assert!(
            takes("*", "invoice.paid")
                && takes("invoice.*", "invoice.paid")
                && takes("invoice.paid", "invoice.paid")
        );
        assert!(!takes("invoice.*", "invoices.paid") && !takes("invoice", "invoice.paid") && !takes("", "x"));
    }
}
