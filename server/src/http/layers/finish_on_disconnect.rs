//! Lets a request run to its end although its client goes away: a render that is dropped half-way reads what is
//! gone. What panics answers 500, what takes too long 503.

use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::http::error_page::error_page;

/// How long an answer may take.
const LONGEST: Duration = Duration::from_secs(30);

pub(super) async fn detach(request: Request, next: Next) -> Response {
    within(LONGEST, request, next).await
}

async fn within(limit: Duration, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    match tokio::spawn(tokio::time::timeout(limit, next.run(request)).in_current_span()).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            tracing::error!(path, "an answer took too long");
            error_page(StatusCode::SERVICE_UNAVAILABLE)
        }
        Err(error) => {
            tracing::error!(path, %error, "a request panicked");
            error_page(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use std::sync::Arc;
    use tokio::sync::Notify;
    use tower::ServiceExt;

    async fn status(router: Router, path: &str) -> StatusCode {
        router.oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap().status()
    }

    #[tokio::test]
    async fn a_panic_and_a_long_wait_have_an_answer() {
        let limit = Duration::from_millis(50);
        let router = Router::new()
            .route(
                "/panic",
                get(|| async {
                    if true {
                        panic!("on purpose")
                    }
                }),
            )
            .route("/long", get(std::future::pending::<()>))
            .route("/fine", get(|| async {}))
            .layer(from_fn(move |request: Request, next: Next| within(limit, request, next)));
        assert_eq!(status(router.clone(), "/panic").await, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(status(router.clone(), "/long").await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(status(router, "/fine").await, StatusCode::OK);
    }

    #[tokio::test]
    async fn a_request_runs_to_its_end_without_its_client() {
        let (begun, go_on, ended) =
            (Arc::new(Notify::new()), Arc::new(Notify::new()), Arc::new(Notify::new()));
        let handler = {
            let (begun, go_on, ended) = (begun.clone(), go_on.clone(), ended.clone());
            move || async move {
                begun.notify_one();
                go_on.notified().await;
                ended.notify_one();
            }
        };
        let router = Router::new().route("/", get(handler)).layer(from_fn(detach));
        tokio::select! {
            _ = status(router, "/") => panic!("it cannot answer yet"),
            () = begun.notified() => {}
        }
        go_on.notify_one();
        tokio::time::timeout(Duration::from_secs(5), ended.notified()).await.unwrap();
    }
}
