//! The HTML document around the app, which the server alone renders.

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::MetaTags;

use crate::context::{self, AssetUrls};
use crate::routes::App;
use crate::ui::icon;
use crate::viewer::Reader;

/// The document around the app. What the viewer prefers stands on the root element, so that nothing flashes.
pub fn shell(urls: AssetUrls) -> impl IntoView {
    let Reader { viewer, preferences, typed_email, open_alerts } = context::reader();
    let AssetUrls { js, wasm, css, icon: mark } = urls;
    let theme = (!preferences.theme.is_empty()).then_some(preferences.theme);
    let role = viewer.as_ref().map(|viewer| viewer.role.as_str());
    let starts = !js.is_empty() && !wasm.is_empty();
    let script = format!(
        "import init, {{ hydrate }} from \"{js}\";\ninit({{ module_or_path: \"{wasm}\" }}).then(hydrate);"
    );
    view! {
        <!DOCTYPE html>
        <html
            lang=preferences.lang.code()
            data-theme=theme
            data-contrast=preferences.contrast.then_some("more")
            data-zone=preferences.utc.then_some("utc")
            data-viewer=viewer.as_ref().map(|viewer| viewer.name.clone())
            data-role=role
            data-alerts=(open_alerts > 0).then_some(open_alerts)
            data-email=(!typed_email.is_empty()).then_some(typed_email)
        >
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                {(!css.is_empty()).then(|| view! { <link rel="stylesheet" href=css /> })}
                {(!mark.is_empty()).then(|| view! { <link rel="icon" type="image/svg+xml" href=mark /> })}
                {starts
                    .then(|| {
                        view! {
                            <link rel="modulepreload" href=js />
                            <link rel="preload" href=wasm r#as="fetch" type="application/wasm" crossorigin="anonymous" />
                            <script type="module" nonce=use_nonce() inner_html=script></script>
                        }
                    })}
                <MetaTags />
            </head>
            <body>
                <App />
                <svg class="visually-hidden" aria-hidden="true" inner_html=icon::SPRITE></svg>
            </body>
        </html>
    }
}
