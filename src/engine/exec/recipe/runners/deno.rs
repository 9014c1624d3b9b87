//! Tasks of a `deno.json`.

use serde_json::Value;

use super::{Place, Runner, Task};

pub(super) fn read(place: &Place<'_>) -> Option<Runner> {
    let (file, text) = place.first(&["deno.json", "deno.jsonc"])?;
    if !place.has("deno") {
        return None;
    }
    let config: Value = json5::from_str(&text).ok()?;
    let task = |(name, task): (&String, &Value)| {
        let about = task.get("description").or_else(|| task.get("command")).unwrap_or(task).as_str();
        Some(Task::new(name, &["deno", "task", name])?.about(about))
    };
    let tasks = config.get("tasks")?.as_object()?.iter().filter_map(task).collect();
    Some(Runner { id: "deno", file: file.to_owned(), tasks })
}
