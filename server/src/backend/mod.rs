//! What the server does for the dashboard and the API: the traits of `app`.

pub mod alerts;
mod body;

pub mod audit;
mod audit_labels;
pub mod deliveries;
mod destination_form;
pub mod destination_settings;
pub mod destinations;
pub mod events;
mod keyrings;
mod prober;
pub mod reconciliation;
pub mod rejections;
pub mod resends;
pub mod secrets;
mod source_form;
mod source_input;
mod source_labels;
pub mod source_pages;
pub mod sources;
