//! Which nodes of a grammar can be left out of a summary.

use std::path::Path;

use ast_grep_language::SupportLang;

use crate::engine::code::Language;

/// What is left out of the files of a language.
#[derive(Debug)]
pub struct Parts {
    grammar: SupportLang,
    /// Nodes whose inner lines are left out.
    pub bodies: &'static [&'static str],
    /// Nodes of which a run is left out.
    pub imports: &'static [&'static str],
    prose: bool,
}

/// Comments, in every grammar.
pub const COMMENTS: &[&str] = &["comment", "line_comment", "block_comment", "html_comment"];

const SCRIPT_BODIES: &[&str] = &[
    "statement_block",
    "class_body",
    "interface_body",
    "object_type",
    "enum_body",
    "switch_body",
    "object",
    "array",
    "named_imports",
    "export_clause",
];
const SCRIPT_IMPORTS: &[&str] = &["import_statement"];
const C_BODIES: &[&str] = &[
    "compound_statement",
    "field_declaration_list",
    "declaration_list",
    "enumerator_list",
    "initializer_list",
];
const C_IMPORTS: &[&str] = &["preproc_include", "using_declaration"];

const fn code(
    grammar: SupportLang,
    bodies: &'static [&'static str],
    imports: &'static [&'static str],
) -> Parts {
    Parts { grammar, bodies, imports, prose: false }
}

static PARTS: &[Parts] = &[
    code(SupportLang::TypeScript, SCRIPT_BODIES, SCRIPT_IMPORTS),
    code(SupportLang::Tsx, SCRIPT_BODIES, SCRIPT_IMPORTS),
    code(SupportLang::JavaScript, SCRIPT_BODIES, SCRIPT_IMPORTS),
    code(
        SupportLang::Python,
        &["block", "dictionary", "list", "set"],
        &["import_statement", "import_from_statement", "future_import_statement"],
    ),
    code(
        SupportLang::Rust,
        &[
            "block",
            "field_declaration_list",
            "declaration_list",
            "enum_variant_list",
            "match_block",
            "field_initializer_list",
            "array_expression",
            "use_list",
            "token_tree",
        ],
        &["use_declaration"],
    ),
    code(
        SupportLang::Go,
        &["block", "field_declaration_list", "interface_type", "literal_value", "import_spec_list"],
        &["import_declaration"],
    ),
    code(
        SupportLang::Java,
        &[
            "block",
            "class_body",
            "interface_body",
            "enum_body",
            "annotation_type_body",
            "constructor_body",
            "switch_block",
            "array_initializer",
        ],
        &["import_declaration"],
    ),
    code(SupportLang::C, C_BODIES, C_IMPORTS),
    code(SupportLang::Cpp, C_BODIES, C_IMPORTS),
    code(
        SupportLang::CSharp,
        &[
            "block",
            "declaration_list",
            "enum_member_declaration_list",
            "accessor_list",
            "switch_body",
            "initializer_expression",
        ],
        &["using_directive"],
    ),
    code(SupportLang::Ruby, &["body_statement", "do_block", "block", "hash", "array"], &[]),
    code(
        SupportLang::Php,
        &[
            "compound_statement",
            "declaration_list",
            "enum_declaration_list",
            "array_creation_expression",
            "match_block",
            "switch_block",
        ],
        &["namespace_use_declaration"],
    ),
    code(
        SupportLang::Bash,
        &["compound_statement", "do_group", "case_statement", "heredoc_body", "array"],
        &[],
    ),
    code(SupportLang::Json, &["object", "array"], &[]),
    code(
        SupportLang::Yaml,
        &["block_mapping", "block_sequence", "flow_mapping", "flow_sequence", "block_scalar"],
        &[],
    ),
    code(SupportLang::Html, &["element", "script_element", "style_element"], &[]),
    code(SupportLang::Css, &["block", "keyframe_block_list"], &["import_statement"]),
    Parts {
        grammar: SupportLang::Markdown,
        bodies: &["fenced_code_block", "list", "block_quote", "pipe_table", "paragraph"],
        imports: &[],
        prose: true,
    },
];

/// The language of a file, by its extension, and what is left out of it; prose only where it is wanted.
#[must_use]
pub fn of(path: &Path, prose: bool) -> Option<(&'static Language, &'static Parts)> {
    let language = Language::of(path)?;
    let parts = PARTS.iter().find(|parts| parts.grammar == language.grammar && (prose || !parts.prose))?;
    Some((language, parts))
}
