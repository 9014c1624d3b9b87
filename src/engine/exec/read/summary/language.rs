//! The languages that can be summarised, and which nodes of their grammars can be left out.

use std::path::Path;

use ast_grep_language::SupportLang;

/// What is known of a language.
#[derive(Debug)]
pub struct Language {
    /// Its grammar.
    pub grammar: SupportLang,
    extensions: &'static [&'static str],
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
    extensions: &'static [&'static str],
    bodies: &'static [&'static str],
    imports: &'static [&'static str],
) -> Language {
    Language { grammar, extensions, bodies, imports, prose: false }
}

static LANGUAGES: &[Language] = &[
    code(SupportLang::TypeScript, &["ts", "mts", "cts"], SCRIPT_BODIES, SCRIPT_IMPORTS),
    code(SupportLang::Tsx, &["tsx"], SCRIPT_BODIES, SCRIPT_IMPORTS),
    code(SupportLang::JavaScript, &["js", "jsx", "mjs", "cjs"], SCRIPT_BODIES, SCRIPT_IMPORTS),
    code(
        SupportLang::Python,
        &["py", "pyi", "py3"],
        &["block", "dictionary", "list", "set"],
        &["import_statement", "import_from_statement", "future_import_statement"],
    ),
    code(
        SupportLang::Rust,
        &["rs"],
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
        &["go"],
        &["block", "field_declaration_list", "interface_type", "literal_value", "import_spec_list"],
        &["import_declaration"],
    ),
    code(
        SupportLang::Java,
        &["java"],
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
    code(SupportLang::C, &["c", "h"], C_BODIES, C_IMPORTS),
    code(SupportLang::Cpp, &["cc", "cpp", "cxx", "c++", "hpp", "hh", "cu", "ino"], C_BODIES, C_IMPORTS),
    code(
        SupportLang::CSharp,
        &["cs"],
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
    code(
        SupportLang::Ruby,
        &["rb", "rbw", "gemspec"],
        &["body_statement", "do_block", "block", "hash", "array"],
        &[],
    ),
    code(
        SupportLang::Php,
        &["php"],
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
        &["sh", "bash", "zsh", "ksh", "bats"],
        &["compound_statement", "do_group", "case_statement", "heredoc_body", "array"],
        &[],
    ),
    code(SupportLang::Json, &["json"], &["object", "array"], &[]),
    code(
        SupportLang::Yaml,
        &["yml", "yaml"],
        &["block_mapping", "block_sequence", "flow_mapping", "flow_sequence", "block_scalar"],
        &[],
    ),
    code(SupportLang::Html, &["html", "htm"], &["element", "script_element", "style_element"], &[]),
    code(SupportLang::Css, &["css", "scss"], &["block", "keyframe_block_list"], &["import_statement"]),
    Language {
        grammar: SupportLang::Markdown,
        extensions: &["md", "markdown", "mdx"],
        bodies: &["fenced_code_block", "list", "block_quote", "pipe_table", "paragraph"],
        imports: &[],
        prose: true,
    },
];

/// The language of a file, by its extension; prose only where it is wanted.
#[must_use]
pub fn of(path: &Path, prose: bool) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|language| language.extensions.contains(&extension.as_str()) && (prose || !language.prose))
}
