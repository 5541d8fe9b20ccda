//! What the server does for the dashboard and the API: the traits of `app`.

mod body;

pub mod deliveries;
pub mod destinations;
pub mod events;
pub mod reconciliation;
pub mod resends;
pub mod secrets;
pub mod sources;
