//! Certificates are verified, always, against the system's authorities and those of `ACUSE_CA_FILE`.

use std::sync::Arc;

use app::types::AttemptError;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use server::deliver::{HttpClient, Network, ResponseSummary};
use server::net::RootCertificates;
use tokio_rustls::TlsAcceptor;

use super::network::{Names, network, post};

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        Self::named("An authority")
    }

    fn named(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// What `ACUSE_CA_FILE` makes of it.
    fn root_certificates(&self) -> RootCertificates {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.pem");
        std::fs::write(&path, self.0.pem()).unwrap();
        RootCertificates::with_file(&path).unwrap()
    }

    fn issue(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> (Vec<u8>, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
        (params.signed_by(&key, &self.0).unwrap().der().to_vec(), key)
    }
}

/// A server over TLS that answers 200.
async fn serve((certificate, key): (Vec<u8>, KeyPair), protocols: &[&[u8]]) -> u16 {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(certificate)], key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let _ = stream.read(&mut [0; 4096]).await;
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
            let _ = stream.shutdown().await;
        }
    });
    port
}

async fn attempt(root_certificates: RootCertificates, port: u16) -> ResponseSummary {
    let names = Arc::new(Names::default());
    names.set("shop.test", &["127.0.0.1"]);
    let poster = HttpClient::new(Network { names, root_certificates, ..network() });
    post(&poster, &format!("https://shop.test:{port}/")).await
}

#[tokio::test]
async fn a_certificate_of_the_given_authority_is_believed() {
    let authority = Authority::new();
    let port = serve(authority.issue("shop.test", |_| ()), &[b"h2", b"http/1.1"]).await;
    let heard = attempt(authority.root_certificates(), port).await;
    assert_eq!((heard.status, heard.error), (Some(200), None), "{:?}", heard.detail);
    assert!(heard.latency.tls_ms.is_some() && heard.latency.first_byte_ms.is_some());
    // By an address too, when the certificate has it.
    let port = serve(authority.issue("127.0.0.1", |_| ()), &[]).await;
    let poster = HttpClient::new(Network { root_certificates: authority.root_certificates(), ..network() });
    let heard = post(&poster, &format!("https://127.0.0.1:{port}/")).await;
    assert_eq!(heard.error, None, "{:?}", heard.detail);
}

#[tokio::test]
async fn every_other_certificate_is_refused() {
    let authority = Authority::new();
    let expired = |params: &mut CertificateParams| {
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
    };
    let early = |params: &mut CertificateParams| params.not_before = date_time_ymd(2400, 1, 1);
    let self_signed = {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["shop.test".to_owned()]).unwrap();
        (params.self_signed(&key).unwrap().der().to_vec(), key)
    };
    for (certificate, said) in [
        (self_signed, "UnknownIssuer"),
        (Authority::named("Another").issue("shop.test", |_| ()), "UnknownIssuer"),
        // One that calls itself the same.
        (Authority::new().issue("shop.test", |_| ()), "BadSignature"),
        (authority.issue("shop.test", expired), "expired"),
        (authority.issue("shop.test", early), "not valid yet"),
        (authority.issue("other.test", |_| ()), "not valid for name"),
        (authority.issue("*.shop.test", |_| ()), "not valid for name"),
    ] {
        let port = serve(certificate, &[]).await;
        let heard = attempt(authority.root_certificates(), port).await;
        assert_eq!((heard.status, heard.error), (None, Some(AttemptError::Tls)), "{said}");
        let detail = heard.detail.unwrap();
        assert!(detail.starts_with("no TLS: ") && detail.contains(said), "{detail}");
    }
}

#[tokio::test]
async fn without_the_file_only_the_systems_authorities_are_believed() {
    let port = serve(Authority::new().issue("shop.test", |_| ()), &[]).await;
    assert_eq!(attempt(RootCertificates::default(), port).await.error, Some(AttemptError::Tls));
}

#[test]
fn a_file_of_authorities_is_read_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ca.pem");
    let said = |text: &str| {
        std::fs::write(&path, text).unwrap();
        RootCertificates::with_file(&path).map(drop).unwrap_err()
    };
    assert_eq!(said(""), "holds no certificate");
    assert_eq!(said("what is this"), "holds no certificate");
    assert!(
        said("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
            .starts_with("holds a certificate")
    );
    assert!(
        RootCertificates::with_file(&folder.path().join("none")).unwrap_err().starts_with("cannot be read")
    );
    let both = format!("{}{}", Authority::new().0.pem(), Authority::new().0.pem());
    std::fs::write(&path, both).unwrap();
    assert!(RootCertificates::with_file(&path).is_ok());
}
