//! A form that a page asks to have filled in, as the server words it: the browser's half holds the code that shows forms
//! once, and the words of none.

use serde::{Deserialize, Serialize};

/// The form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormSchema {
    /// What it is about.
    pub title: String,
    /// What will happen; empty: the fields say it.
    pub help: String,
    /// What is asked for.
    pub fields: Vec<Field>,
    /// What the button does.
    pub act: String,
    /// Something is lost.
    pub is_danger: bool,
}

/// What a field looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// It is not seen.
    #[default]
    Hidden,
    /// A line.
    Line,
    /// A line that is not shown.
    Secret,
    /// Several lines.
    Lines,
    /// One of a list.
    Select,
    /// One of a few.
    Radio,
}

/// A field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name, sent as `form[…]`.
    pub name: String,
    /// What it looks like.
    pub kind: Kind,
    /// As people call it.
    pub label: String,
    /// More about it.
    pub hint: String,
    /// What stands in it at first.
    pub value: String,
    /// What may stand in it.
    pub example: String,
    /// It must be filled in.
    pub required: bool,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// It is folded away with its neighbours of the same name; empty: it is not.
    pub folded: String,
}

/// Something that can be chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// As people call it.
    pub name: String,
    /// The group that it stands in; empty: none.
    pub group: String,
}
