//! Views without their types. A page is put together from parts, so that the browser's half holds the code of each
//! part once, and not again for every place and way in which it is used.

use leptos::prelude::*;

/// Makes a part of a view.
pub trait IntoPart {
    /// The view without its type.
    fn part(self) -> AnyView;
}

impl<V: IntoView + 'static> IntoPart for V {
    fn part(self) -> AnyView {
        self.into_any()
    }
}
