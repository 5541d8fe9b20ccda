//! What happened to a resource, in the provider's order of time.

use leptos::prelude::*;

use super::{EventDetail, TimelineEvent};
use crate::deliveries::breakable;
use crate::types::{EventNumber, Timestamp};
use crate::ui::sentence::sentence;
use crate::ui::{IntoPart, Ui, format, icon, query, time};

/// The story that an event is a part of, when it is not the whole of it.
pub fn panel(ui: Ui, event: &EventDetail, now: Timestamp) -> AnyView {
    let text = ui.text;
    let Some(resource) = event.resource_id.clone().filter(|_| event.story.len() > 1) else {
        return ().part();
    };
    let href = query::link("/events", &query::write([("resource", resource.clone())]));
    let late = event.story.iter().any(|event| event.out_of_order);
    view! {
        <section class="panel" aria-labelledby="story-title">
            <header class="panel-head">
                <h2 id="story-title">{text.event.story_title}</h2>
                <p>{text.event.story_order}</p>
                <a class="end" href=href aria-label=format::name_with(text.event.story_all, &resource)>
                    {text.event.story_all}
                </a>
            </header>
            <ol class="timeline panel-body">
                {event.story.iter().map(|other| entry(ui, other, event.id, now)).collect_view()}
            </ol>
            {late.then(|| view! { <div class="panel-foot"><p>{text.event.story_late_help}</p></div> })}
        </section>
    }
    .part()
}

fn entry(ui: Ui, event: &TimelineEvent, here: EventNumber, now: Timestamp) -> AnyView {
    let text = ui.text;
    let (shape, tone) = if event.out_of_order { ("stale", "wait") } else { ("events", "none") };
    let happened = event.occurred_at.unwrap_or(event.received_at);
    let status = event.status.clone().map(|status| view! { <span class="id">{status}</span> });
    let late = event
        .out_of_order
        .then(|| view! { <span class="badge" data-tone="wait">{text.event.story_late}</span> });
    let name = match event.id == here {
        true => view! { <b aria-current="true" inner_html=breakable(&event.r#type)></b> " " <small>{text.event.story_this}</small> }.part(),
        false => {
            let href = format!("/events/{}", event.id);
            view! { <a href=href inner_html=breakable(&event.r#type)></a> }.part()
        }
    };
    let took = (event.received_at.micros() - happened.micros()) / 1_000_000;
    let arrived = time::exact(ui, event.received_at, now).part();
    let arrived = match took {
        ..=0 => sentence(text.event.story_arrived, [arrived]),
        seconds => sentence(text.event.story_arrived_later, [arrived, format::duration(seconds).part()]),
    };
    view! {
        <li>
            {time::exact(ui, happened, now)}
            {icon::toned(shape, tone)}
            <div>
                <p class="row">{name} {status} {late}</p>
                <p class="faint">{arrived} " · " <span class="id">{event.event_id.clone()}</span></p>
            </div>
        </li>
    }
    .part()
}
