//! The OpenAPI document: what the handlers say of themselves, and what the table of routes adds.

use serde::Serialize;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, RefOr, ResponseBuilder, Schema};
use utoipa::{OpenApi as _, ToSchema};

use super::problems::FieldProblem;
use super::routes::Route;
use super::{
    alerts, audit, deliveries, destinations, differences, events, reconciliations, rejections, resends,
    secrets, sources,
};

/// An error (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(super) struct Problem {
    /// What kind of error, in words.
    title: String,
    /// The status of the answer.
    status: u16,
    /// What kind of error, for machines; it never changes.
    code: String,
    /// What happened this time.
    detail: Option<String>,
    /// Fields and query parameters that are not accepted.
    errors: Option<Vec<FieldProblem>>,
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Acuse",
        description = "Receives payment webhooks, keeps them, and delivers them. Times are RFC 3339 in UTC. Lists are \
                       newest first; `next_cursor` leads to the next page and is null on the last one. Errors are \
                       problems (RFC 9457) with a stable `code`."
    ),
    servers((url = "/api/v1")),
    components(schemas(Problem)),
    paths(
        sources::list, sources::create, sources::get, sources::change, sources::delete,
        secrets::list_of_source, secrets::rotate_source, secrets::retire_of_source,
        secrets::extend_of_source, secrets::undo_of_source,
        destinations::list, destinations::create, destinations::get, destinations::change, destinations::delete,
        destinations::pause, destinations::resume,
        secrets::list_of_destination, secrets::rotate_destination, secrets::retire_of_destination,
        secrets::extend_of_destination, secrets::undo_of_destination, secrets::test_of_destination,
        events::list, events::get, events::body, events::deliver, events::release,
        deliveries::list, deliveries::get, deliveries::resend,
        resends::start, resends::list, resends::get, resends::cancel,
        reconciliations::start, reconciliations::list, reconciliations::get,
        differences::list, differences::acknowledge,
        rejections::list, rejections::get, rejections::reverify, rejections::reverify_all,
        alerts::list, alerts::acknowledge,
        audit::list, audit::verify,
    )
)]
struct ApiDocument;

/// The document of these routes.
pub fn document(table: &[Route]) -> OpenApi {
    let mut document = ApiDocument::openapi();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    document
        .components
        .get_or_insert_with(Components::new)
        .add_security_scheme("token", SecurityScheme::Http(token));
    document.security = Some(vec![SecurityRequirement::new("token", Vec::<String>::new())]);
    if let Some(components) = &mut document.components {
        let answers = components.schemas.iter_mut().filter(|(name, _)| !name.ends_with("Input"));
        answers.filter(|(name, _)| *name != "Problem").for_each(|(_, schema)| require_all(schema));
    }
    for route in table {
        if let Some(operation) = operation(&mut document, route) {
            complete(operation, route);
        }
    }
    document
}

fn operation<'a>(document: &'a mut OpenApi, route: &Route) -> Option<&'a mut Operation> {
    let item = document.paths.paths.get_mut(route.path)?;
    match route.method.as_str() {
        "GET" => item.get.as_mut(),
        "POST" => item.post.as_mut(),
        "PATCH" => item.patch.as_mut(),
        "DELETE" => item.delete.as_mut(),
        _ => None,
    }
}

/// An answer has all of its members always: what is not known is null, and not left out.
fn require_all(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => object.required = object.properties.keys().cloned().collect(),
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(require_all),
        _ => {}
    }
}

/// What every call has in common: its role, its tag, and its errors.
fn complete(operation: &mut Operation, route: &Route) {
    let area = route.path.split('/').nth(1).unwrap_or_default();
    operation.tags = Some(vec![area.to_owned()]);
    operation.operation_id = Some(name(route));
    let role = format!("Role: `{}`.", route.role);
    operation.description = Some(match operation.description.take() {
        Some(description) => format!("{description}\n\n{role}"),
        None => role,
    });
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let default = ResponseBuilder::new()
        .description("A problem")
        .content("application/problem+json", problem.clone())
        .build();
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response
            && let Some(content) = response.content.shift_remove("application/json")
        {
            let is_problem = content == problem;
            let kind = if is_problem { "application/problem+json" } else { "application/json" };
            response.content.insert(kind.to_owned(), content);
        }
    }
    operation.responses.responses.insert("default".to_owned(), RefOr::T(default));
}

/// `getSourcesBySlug`: a name that no other call has.
fn name(route: &Route) -> String {
    let mut name = route.method.as_str().to_ascii_lowercase();
    for part in route.path.split('/').filter(|part| !part.is_empty()) {
        let (by, word) = match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(parameter) => ("By", parameter),
            None => ("", part),
        };
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(by);
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}
