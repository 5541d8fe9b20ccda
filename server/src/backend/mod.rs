//! What the server does for the dashboard and the API: the traits of `app`.

mod body;

pub mod deliveries;
mod destination_form;
pub mod destinations;
pub mod events;
pub mod reconciliation;
pub mod resends;
pub mod secrets;
pub mod sources;
