//! Views without their types. A page is put together from parts, so that the browser's half holds the code of each
//! part once, and not again for every place and way in which it is used.

use leptos::attr::Attribute;
use leptos::attr::any_attribute::AnyAttribute;
use leptos::prelude::*;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::ssr::StreamBuilder;
use leptos::tachys::view::{Position, PositionState};

/// Makes a part of a view.
pub trait IntoPart {
    /// The view without its type.
    fn part(self) -> AnyView;
}

impl<V: IntoView + 'static> IntoPart for V {
    fn part(self) -> AnyView {
        AtOnce(self).into_any()
    }
}

/// A view that takes over what the server rendered at once. Views can also do so in steps, for code that is loaded
/// later; there is none here, and a third of the browser's half would be those steps.
struct AtOnce<V>(V);

impl<V: Render> Render for AtOnce<V> {
    type State = V::State;

    fn build(self) -> Self::State {
        self.0.build()
    }

    fn rebuild(self, state: &mut Self::State) {
        self.0.rebuild(state);
    }
}

impl<V: RenderHtml + 'static> AddAnyAttr for AtOnce<V> {
    type Output<A: Attribute> = Self;

    /// Nothing adds attributes to a part from outside.
    fn add_any_attr<A: Attribute>(self, _: A) -> Self::Output<A> {
        self
    }
}

impl<V: RenderHtml + 'static> RenderHtml for AtOnce<V> {
    type AsyncOutput = V::AsyncOutput;
    type Owned = Self;

    const MIN_LENGTH: usize = V::MIN_LENGTH;
    const EXISTS: bool = V::EXISTS;

    fn dry_resolve(&mut self) {
        self.0.dry_resolve();
    }

    fn resolve(self) -> impl Future<Output = Self::AsyncOutput> + Send {
        self.0.resolve()
    }

    fn html_len(&self) -> usize {
        self.0.html_len()
    }

    fn to_html_with_buf(
        self,
        buf: &mut String,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        self.0.to_html_with_buf(buf, position, escape, mark_branches, extra_attrs);
    }

    fn to_html_async_with_buf<const OUT_OF_ORDER: bool>(
        self,
        buf: &mut StreamBuilder,
        position: &mut Position,
        escape: bool,
        mark_branches: bool,
        extra_attrs: Vec<AnyAttribute>,
    ) {
        self.0.to_html_async_with_buf::<OUT_OF_ORDER>(buf, position, escape, mark_branches, extra_attrs);
    }

    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> Self::State {
        self.0.hydrate::<FROM_SERVER>(cursor, position)
    }

    /// Never entered: the page is taken over at once (`hydrate_body`).
    async fn hydrate_async(self, _: &Cursor, _: &PositionState) -> Self::State {
        std::future::pending().await
    }

    fn into_owned(self) -> Self::Owned {
        self
    }
}
