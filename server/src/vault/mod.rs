//! Seals secrets at rest: XChaCha20-Poly1305 under a master key, bound to the row that they belong to.

mod error;
pub mod key_file;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use rand::RngCore;
use zeroize::Zeroizing;

use crate::domain::secret::SecretValue;

pub use error::VaultError;
use key_file::Stamp;

const NONCE: usize = 24;

/// The master keys. They are read again when the file has changed, so that a new one counts without a restart.
pub struct Vault {
    keys: RwLock<Arc<Vec<MasterKey>>>,
    file: Option<KeyFile>,
}

/// Where the keys come from, and what the file looked like when they were read.
struct KeyFile {
    path: PathBuf,
    seen: Mutex<Option<Stamp>>,
}

struct MasterKey {
    id: String,
    cipher: XChaCha20Poly1305,
}

/// A sealed value, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Nonce and ciphertext.
    pub bytes: Vec<u8>,
    /// The master key that it was sealed under.
    pub key_id: String,
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys().iter().map(|key| &key.id)).finish()
    }
}

impl Vault {
    /// Reads the keys of a file.
    ///
    /// # Errors
    /// It cannot be read, or is not of the form.
    pub fn read(path: &Path) -> Result<Self, VaultError> {
        let seen = Stamp::of(path).ok();
        let keys = RwLock::new(Arc::new(key_file::read(path)?));
        Ok(Self { keys, file: Some(KeyFile { path: path.to_owned(), seen: Mutex::new(seen) }) })
    }

    /// Reads the keys again when the file has changed since. Tells whether it has.
    ///
    /// # Errors
    /// As `read`; the keys stay as they were.
    pub fn refresh(&self) -> Result<bool, VaultError> {
        let Some(file) = &self.file else { return Ok(false) };
        let mut seen = file.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Stamp::of(&file.path).map_err(|error| key_file::unreadable(&file.path, error))?;
        if *seen == Some(now) {
            return Ok(false);
        }
        let keys = key_file::read(&file.path)?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        *seen = Some(now);
        Ok(true)
    }

    fn keys(&self) -> Arc<Vec<MasterKey>> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The key that seals.
    ///
    /// # Errors
    /// There is none; cannot be after `read`.
    pub fn sealing_key(&self) -> Result<String, VaultError> {
        let keys = self.keys();
        keys.first().map(|key| key.id.clone()).ok_or_else(|| VaultError::UnknownKey(String::new()))
    }

    /// One new key in memory; for tests.
    pub fn ephemeral() -> Self {
        let (id, key) = key_file::new_key();
        Self { keys: RwLock::new(Arc::new(MasterKey::new(&id, &*key).into_iter().collect())), file: None }
    }

    /// Seals a value so that it opens only for the same `owner`, such as `secret/sec_…`.
    ///
    /// # Errors
    /// There is no key; cannot be after `read`.
    pub fn seal(&self, value: &SecretValue, owner: &str) -> Result<Sealed, VaultError> {
        let keys = self.keys();
        let key = keys.first().ok_or_else(|| VaultError::UnknownKey(String::new()))?;
        let mut nonce = [0_u8; NONCE];
        rand::rng().fill_bytes(&mut nonce);
        let payload = Payload { msg: value.expose().as_bytes(), aad: owner.as_bytes() };
        let sealed = key
            .cipher
            .encrypt(XNonce::from_slice(&nonce), payload)
            .map_err(|_| VaultError::WrongKey(key.id.clone()))?;
        Ok(Sealed { bytes: [&nonce[..], &sealed].concat(), key_id: key.id.clone() })
    }

    /// Opens what was sealed for the same `owner`.
    ///
    /// # Errors
    /// The key is not here, is another one, or the bytes belong to another owner.
    pub fn open(&self, sealed: &Sealed, owner: &str) -> Result<SecretValue, VaultError> {
        match Self::open_with(&self.keys(), sealed, owner) {
            // Sealed under a key that has just been added.
            Err(VaultError::UnknownKey(id)) if self.refresh()? => {
                tracing::info!(key = id, "the master keys were read again");
                Self::open_with(&self.keys(), sealed, owner)
            }
            opened => opened,
        }
    }

    fn open_with(keys: &[MasterKey], sealed: &Sealed, owner: &str) -> Result<SecretValue, VaultError> {
        let key = keys
            .iter()
            .find(|key| key.id == sealed.key_id)
            .ok_or_else(|| VaultError::UnknownKey(sealed.key_id.clone()))?;
        let wrong = || VaultError::WrongKey(key.id.clone());
        let (nonce, bytes) = sealed.bytes.split_at_checked(NONCE).ok_or_else(wrong)?;
        let payload = Payload { msg: bytes, aad: owner.as_bytes() };
        let plain = key
            .cipher
            .decrypt(XNonce::from_slice(nonce), payload)
            .map(Zeroizing::new)
            .map_err(|_| wrong())?;
        Ok(SecretValue::new(std::str::from_utf8(&plain).map_err(|_| wrong())?))
    }
}

impl MasterKey {
    fn new(id: &str, bytes: &[u8]) -> Option<Self> {
        (bytes.len() == 32)
            .then(|| Self { id: id.to_owned(), cipher: XChaCha20Poly1305::new(Key::from_slice(bytes)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_for_its_owner_only() {
        let vault = Vault::ephemeral();
        let value = SecretValue::new("whsec_test");
        let sealed = vault.seal(&value, "secret/sec_1").unwrap();
        assert!(vault.open(&sealed, "secret/sec_1").unwrap() == value);
        assert!(matches!(vault.open(&sealed, "secret/sec_2"), Err(VaultError::WrongKey(_))));
        assert!(matches!(Vault::ephemeral().open(&sealed, "secret/sec_1"), Err(VaultError::UnknownKey(_))));
        assert!(!sealed.bytes.windows(5).any(|bytes| bytes == b"whsec"));
    }

    #[test]
    fn a_key_file_is_made_once_and_for_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/acuse.key");
        key_file::create(&path).unwrap();
        let sealed = Vault::read(&path).unwrap().seal(&SecretValue::new("x"), "o").unwrap();
        key_file::create(&path).unwrap();
        assert_eq!(Vault::read(&path).unwrap().open(&sealed, "o").unwrap().expose(), "x");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_new_key_is_taken_up_and_the_old_one_opens_until_it_is_dropped() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        key_file::create(&path).unwrap();
        let running = Vault::read(&path).unwrap();
        let old = running.seal(&SecretValue::new("old"), "o").unwrap();
        assert!(!running.refresh().unwrap(), "nothing has changed");

        let id = key_file::add_key(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let other = Vault::read(&path).unwrap();
        assert_eq!(other.sealing_key().unwrap(), id);
        let new = other.seal(&SecretValue::new("new"), "o").unwrap();
        assert_eq!((new.key_id == id, old.key_id == id), (true, false));
        assert_eq!(running.open(&new, "o").unwrap().expose(), "new", "without being told");
        assert_eq!(running.open(&old, "o").unwrap().expose(), "old");
        assert_eq!(running.sealing_key().unwrap(), id);

        assert_eq!(key_file::keep_only(&path, &id).unwrap(), 1);
        assert!(running.refresh().unwrap());
        assert!(matches!(running.open(&old, "o"), Err(VaultError::UnknownKey(_))));
        assert_eq!(running.open(&new, "o").unwrap().expose(), "new");
        assert!(matches!(key_file::keep_only(&path, "k0"), Err(VaultError::UnknownKey(_))));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn keys_that_cannot_be_read_again_leave_those_that_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("acuse.key");
        key_file::create(&path).unwrap();
        let vault = Vault::read(&path).unwrap();
        let sealed = vault.seal(&SecretValue::new("x"), "o").unwrap();
        std::fs::write(&path, "half a li").unwrap();
        assert!(vault.refresh().is_err());
        assert!(key_file::add_key(&path).is_err());
        assert_eq!(vault.open(&sealed, "o").unwrap().expose(), "x");
    }
}
