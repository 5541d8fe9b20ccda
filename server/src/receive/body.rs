//! Reads a body and stops at the limit.

use axum::body::Body;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyError {
    /// Over the limit.
    TooLarge,
    /// It did not come in time.
    TooSlow,
    /// The connection broke, or what came is not HTTP.
    Broken,
}

/// The length that the request announces.
pub(super) fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

/// All bytes of it, if they are no more than `most`. One that came in one piece is not copied.
pub(super) async fn read(mut body: Body, most: usize) -> Result<Bytes, BodyError> {
    let Some(mut first) = next(&mut body).await? else { return Ok(Bytes::new()) };
    if first.is_empty() {
        first = next(&mut body).await?.unwrap_or_default();
    }
    if first.len() > most {
        return Err(BodyError::TooLarge);
    }
    let Some(second) = next(&mut body).await? else { return Ok(first) };
    let mut whole = BytesMut::from(first);
    let mut piece = Some(second);
    while let Some(bytes) = piece {
        if whole.len() + bytes.len() > most {
            return Err(BodyError::TooLarge);
        }
        whole.extend_from_slice(&bytes);
        piece = next(&mut body).await?;
    }
    Ok(whole.freeze())
}

/// The next piece; trailers are passed over.
async fn next(body: &mut Body) -> Result<Option<Bytes>, BodyError> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(_)) => return Err(BodyError::Broken),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}
