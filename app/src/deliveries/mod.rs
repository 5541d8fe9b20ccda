//! Deliveries: one for each event and destination.

mod api;
mod detail;
mod inspector;
mod ladder;
mod model;
mod resend;
mod rpc;
mod selection;
mod timeline;
mod view;

pub use api::*;
pub use detail::DeliveryView;
pub use model::{DeliveriesQuery, MOST_NUMBERS};
pub use resend::ResendForm;
pub use rpc::*;
pub use view::{DeliveriesView, breakable, table};
