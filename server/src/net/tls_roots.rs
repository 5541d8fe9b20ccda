//! Certificates of the authorities that outgoing TLS connections trust.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// The system's root certificates and those of an optional file.
#[derive(Debug, Clone, Default)]
pub struct RootCertificates(Vec<CertificateDer<'static>>);

impl RootCertificates {
    /// Adds the root certificates of a PEM file to the system's.
    ///
    /// # Errors
    /// The file cannot be read, is not PEM, or holds no usable certificate. The text follows the file's name.
    pub fn with_file(path: &Path) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("cannot be read ({error})"))?;
        let read = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>();
        let certificates = read.map_err(|error| format!("is not PEM ({error})"))?;
        let mut roots = RootCertStore::empty();
        for certificate in &certificates {
            let added = roots.add(certificate.clone());
            added.map_err(|error| format!("holds a certificate that is of no use ({error})"))?;
        }
        if roots.is_empty() { Err("holds no certificate".to_owned()) } else { Ok(Self(certificates)) }
    }

    /// Builds a client configuration that verifies every server certificate against these roots.
    ///
    /// # Errors
    /// The cryptography provider supports no safe protocol version.
    pub fn client_config(&self) -> Result<ClientConfig, rustls::Error> {
        let mut roots = RootCertStore::empty();
        let system = rustls_native_certs::load_native_certs();
        for error in &system.errors {
            tracing::warn!(%error, "some certificates of the system could not be read");
        }
        roots.add_parsable_certificates(system.certs.into_iter().chain(self.0.iter().cloned()));
        if roots.is_empty() {
            tracing::warn!("no certificates of authorities are found: deliveries over https will fail");
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        Ok(builder.with_root_certificates(roots).with_no_client_auth())
    }
}
