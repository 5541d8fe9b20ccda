//! What the server does for the dashboard and the API: the traits of `app`.

pub mod alerts;
mod body;

pub mod audit;
mod audit_words;
pub mod deliveries;
mod destination_form;
pub mod destinations;
pub mod events;
mod keyrings;
mod prober;
pub mod reconciliation;
pub mod rejections;
pub mod resends;
pub mod secrets;
pub mod shared;
mod source_asked;
mod source_form;
pub mod source_pages;
mod source_words;
pub mod sources;
