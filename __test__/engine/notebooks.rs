//! Notebooks in `read`.

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::content::notebook::render;
use gajae_tool_core::engine::exec::{parse_value, read};
use proptest::prelude::*;
use serde_json::json;

use crate::tree::Tree;

#[track_caller]
fn check(notebook: &str, expected: &str) {
    assert_eq!(render(notebook.as_bytes()).as_deref(), Ok(expected));
}

#[test]
fn cells_stand_under_their_headers() {
    check(
        r##"{"cells":[{"cell_type":"markdown","source":["# Hi\n","t\"ext"]},{"cell_type":"code","source":"x = 1\n","outputs":[{"data":[[[]]]}]},{"cell_type":"raw","source":[]},{"cell_type":"raw"}]}"##,
        "# %% [markdown] cell:0\n# Hi\nt\"ext\n# %% [code] cell:1\nx = 1\n\n# %% [raw] cell:2\n# %% [raw] cell:3",
    );
    check("\u{feff}{\"cells\":[]}", "");
}

#[test]
fn what_is_no_notebook_has_a_reason() {
    let deep = format!(
        "{{\"cells\":[{{\"cell_type\":\"code\",\"source\":\"\",\"outputs\":{}",
        "[".repeat(1_000_000)
    );
    for bytes in [
        "",
        "{nope",
        "{\"nbformat\":4}",
        "[]",
        "{\"cells\":{}}",
        "{\"cells\":[{\"cell_type\":\"weird\",\"source\":\"\"}]}",
        "{\"cells\":[{\"cell_type\":\"code\",\"source\":5}]}",
        "{\"cells\":[{\"cell_type\":\"code\",\"source\":[[\"x\"]]}]}",
        deep.as_str(),
    ] {
        assert!(render(bytes.as_bytes()).is_err(), "{}", &bytes[..bytes.len().min(80)]);
    }
    assert!(render(b"\xFF\xFE{}").is_err());
}

#[test]
fn a_notebook_is_read_from_its_start_and_names_what_follows() {
    let lines: Vec<String> = (1..=100).map(|line| format!("l{line}")).collect();
    let notebook = json!({"cells": [{"cell_type": "code", "source": lines.join("\n")}]}).to_string();
    let tree =
        Tree::new(&[("n.ipynb", &notebook), ("bad.ipynb", "{nope")]).with(json!({"readHashLines": false}));
    let call = |path: &str| {
        read::run(&parse_value(&json!({"path": path})).unwrap(), &tree.context(), &CancelToken::new())
    };
    let bare = call("n.ipynb").unwrap();
    assert!(bare.text.starts_with("# %% [code] cell:0\nl1\n"));
    assert_eq!(bare.notices[0].kind, "footer_head");
    let part = call("n.ipynb:3-4").unwrap();
    assert_eq!(part.notices[0].kind, "more_lines");
    assert_eq!(json!(part.notices[0].facts), json!({"remaining": 94, "entity": "notebook", "next": 8}));
    assert!(call("n.ipynb:500").unwrap().text.contains("notebook"));
    assert_eq!(call("n.ipynb:raw").unwrap().text, notebook);
    assert_eq!(call("bad.ipynb").unwrap_err().code(), "notebook_invalid");
    assert_eq!(call("bad.ipynb:raw").unwrap().text, "{nope");
}

proptest! {
    /// Whatever the bytes, there is a text or a reason.
    #[test]
    fn any_bytes_are_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..100, flip: u8) {
        let _ = render(&bytes);
        let mut notebook = json!({"cells": [{"cell_type": "code", "source": ["a", "b"]}]}).to_string().into_bytes();
        let index = at % notebook.len();
        notebook[index] ^= flip;
        let _ = render(&notebook);
    }
}
