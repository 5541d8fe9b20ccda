//! Any body has an envelope that a database can keep.

#![no_main]

use app::types::Provider;
use axum::http::HeaderMap;
use libfuzzer_sys::fuzz_target;
use server::provider::envelope::read;

fuzz_target!(|body: &[u8]| {
    for provider in Provider::ALL {
        let envelope = read(*provider, &HeaderMap::new(), body);
        let names = [Some(&envelope.event_id), Some(&envelope.event_type), envelope.status.as_ref()];
        for name in names.into_iter().flatten().chain(envelope.resource.as_ref().map(|resource| &resource.id)) {
            assert!(!name.is_empty() && name.len() <= 512 && !name.contains('\0'));
        }
    }
});
