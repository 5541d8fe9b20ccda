// Draws the OpenAPI document. Every text goes in as text, never as markup.
"use strict";

const METHODS = ["get", "post", "patch", "put", "delete"];

function element(name, content, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...[content].flat().filter((part) => part !== null && part !== undefined));
  return made;
}

/** A text in which `this` is code. */
function rich(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", part) : part));
}

function nameOf(schema) {
  return schema.$ref.split("/").pop();
}

function resolved(spec, schema) {
  return schema?.$ref ? (spec.components.schemas[nameOf(schema)] ?? {}) : (schema ?? {});
}

/** A schema in a few words: `string`, `Source or null`, `array of Event`, `"live" | "test"`. */
function inWords(schema) {
  if (!schema) return "";
  if (schema.$ref) return nameOf(schema).replaceAll("_", " of ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.map(inWords).sort((a, b) => (a === "null") - (b === "null")).join(" or ");
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  const types = [schema.type ?? "any"].flat();
  const words = types.map((type) => (type === "array" ? `array of ${inWords(schema.items)}` : type));
  return words.join(" or ") + (schema.format ? ` (${schema.format})` : "");
}

/** The members of an object, also of one that is put together from parts. */
function members(spec, schema) {
  const own = resolved(spec, schema);
  const parts = (own.allOf ?? []).map((part) => members(spec, part));
  return {
    found: Object.assign({}, ...parts.map((part) => part.found), own.properties),
    required: [...(own.required ?? []), ...parts.flatMap((part) => part.required)],
  };
}

/** The objects that a schema names. */
function objects(schema) {
  const named = [schema, schema?.items, ...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])];
  return named.filter((part) => part?.$ref && nameOf(part) !== "Problem");
}

/** The words of an enumeration, or the schema in a few words. */
function kind(spec, schema) {
  const words = objects(schema).flatMap((part) => resolved(spec, part).enum ?? []);
  return words.length > 0 ? words.map((word) => JSON.stringify(word)).join(" | ") : inWords(schema);
}

function membersTable(spec, schema, depth) {
  const { found, required } = members(spec, schema);
  if (Object.keys(found).length === 0) return null;
  const rows = Object.entries(found).flatMap(([name, member]) => {
    const inner = depth > 0 ? objects(member).map((part) => membersTable(spec, part, depth - 1)) : [];
    const about = member.description ?? objects(member)[0]?.description ?? "";
    const optional = required.includes(name) ? "" : ", optional";
    return [
      element("dt", element("code", name)),
      element("dd", [...rich(about), " ", element("i", kind(spec, member) + optional), ...inner]),
    ];
  });
  return element("dl", rows);
}

function parametersTable(spec, parameters) {
  if (!parameters?.length) return null;
  return element("dl", parameters.flatMap((parameter) => {
    const words = `${kind(spec, parameter.schema)}, in the ${parameter.in}${parameter.required ? "" : ", optional"}`;
    return [
      element("dt", element("code", parameter.name)),
      element("dd", [...rich(parameter.description ?? ""), " ", element("i", words)]),
    ];
  }));
}

function answersTable(spec, answers) {
  return element("dl", Object.entries(answers).flatMap(([status, answer]) => {
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
    const inner = status === "default" ? [] : objects(content?.schema).map((part) => membersTable(spec, part, 1));
    const words = type ? `${inWords(content.schema)}, ${type}` : "";
    return [
      element("dt", element("code", status)),
      element("dd", [answer.description, " ", element("i", words), ...inner]),
    ];
  }));
}

function part(title, content) {
  return content ? [element("h3", title), content] : [];
}

function operation(spec, path, method, described) {
  const body = described.requestBody?.content?.["application/json"]?.schema;
  const head = [element("b", method.toUpperCase()), element("code", path), element("span", described.summary ?? "")];
  const inside = [
    element("p", rich(described.description ?? "")),
    ...part("Parameters", parametersTable(spec, described.parameters)),
    ...part("Body", body ? membersTable(spec, body, 1) : null),
    ...part("Answers", answersTable(spec, described.responses)),
  ];
  return element("details", [element("summary", head), element("div", inside, { class: "inside" })]);
}

function draw(spec) {
  const base = spec.servers?.[0]?.url ?? "";
  const areas = new Map();
  for (const [path, item] of Object.entries(spec.paths)) {
    for (const method of METHODS.filter((name) => item[name])) {
      const area = item[method].tags?.[0] ?? "other";
      if (!areas.has(area)) areas.set(area, []);
      areas.get(area).push(operation(spec, base + path, method, item[method]));
    }
  }
  document.getElementById("about").textContent =
    `${spec.info.description} Version ${spec.info.version}. Send “Authorization: Bearer TOKEN” with every call.`;
  for (const [area, operations] of areas) {
    document.getElementById("areas").append(element("a", area, { href: `#${area}` }));
    document.getElementById("operations").append(element("h2", area, { id: area }), ...operations);
  }
}

fetch("/api/v1/openapi.json")
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`status ${answer.status}`))))
  .then(draw)
  .catch((error) => {
    document.getElementById("about").textContent = `The OpenAPI document cannot be read: ${error.message}.`;
  });
