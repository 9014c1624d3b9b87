//! The one table of languages, by the extensions of their files.

use std::path::Path;

use ast_grep_language::SupportLang;

/// A language with a grammar.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// Its grammar.
    pub grammar: SupportLang,
    /// What people call it.
    pub name: &'static str,
    extensions: &'static [&'static str],
}

static LANGUAGES: &[Language] = &[
    language(SupportLang::TypeScript, "TypeScript", &["ts", "mts", "cts"]),
    language(SupportLang::Tsx, "TSX", &["tsx"]),
    language(SupportLang::JavaScript, "JavaScript", &["js", "jsx", "mjs", "cjs"]),
    language(SupportLang::Python, "Python", &["py", "pyi", "py3"]),
    language(SupportLang::Rust, "Rust", &["rs"]),
    language(SupportLang::Go, "Go", &["go"]),
    language(SupportLang::Java, "Java", &["java"]),
    language(SupportLang::C, "C", &["c", "h"]),
    language(SupportLang::Cpp, "C++", &["cc", "cpp", "cxx", "c++", "hpp", "hh", "cu", "ino"]),
    language(SupportLang::CSharp, "C#", &["cs"]),
    language(SupportLang::Ruby, "Ruby", &["rb", "rbw", "gemspec"]),
    language(SupportLang::Php, "PHP", &["php"]),
    language(SupportLang::Bash, "Bash", &["sh", "bash", "zsh", "ksh", "bats"]),
    language(SupportLang::Json, "JSON", &["json"]),
    language(SupportLang::Yaml, "YAML", &["yml", "yaml"]),
    language(SupportLang::Html, "HTML", &["html", "htm"]),
    language(SupportLang::Css, "CSS", &["css", "scss"]),
    language(SupportLang::Markdown, "Markdown", &["md", "markdown", "mdx"]),
    language(SupportLang::Dart, "Dart", &["dart"]),
    language(SupportLang::Elixir, "Elixir", &["ex", "exs"]),
    language(SupportLang::Haskell, "Haskell", &["hs"]),
    language(SupportLang::Hcl, "HCL", &["hcl", "tf", "tfvars"]),
    language(SupportLang::Kotlin, "Kotlin", &["kt", "kts"]),
    language(SupportLang::Lua, "Lua", &["lua"]),
    language(SupportLang::Nix, "Nix", &["nix"]),
    language(SupportLang::Scala, "Scala", &["scala", "sc", "sbt"]),
    language(SupportLang::Solidity, "Solidity", &["sol"]),
    language(SupportLang::Swift, "Swift", &["swift"]),
    language(SupportLang::Zig, "Zig", &["zig"]),
];

const fn language(grammar: SupportLang, name: &'static str, extensions: &'static [&'static str]) -> Language {
    Language { grammar, name, extensions }
}

impl Language {
    /// The language of a file, by its extension.
    #[must_use]
    pub fn of(path: &Path) -> Option<&'static Self> {
        let extension = path.extension()?.to_str()?;
        let is_meant = |known: &&str| known.eq_ignore_ascii_case(extension);
        LANGUAGES.iter().find(|language| language.extensions.iter().any(is_meant))
    }

    /// How many languages there are.
    #[must_use]
    pub fn count() -> usize {
        LANGUAGES.len()
    }

    /// The place in the table.
    #[must_use]
    pub fn index(&self) -> usize {
        LANGUAGES.iter().position(|language| language.grammar == self.grammar).unwrap_or(0)
    }

    /// The language of a place in the table.
    #[must_use]
    pub fn at(index: usize) -> Option<&'static Self> {
        LANGUAGES.get(index)
    }

    /// The language whose code means the same: TSX is TypeScript with more in it.
    #[must_use]
    pub fn family(&self) -> &'static str {
        if self.grammar == SupportLang::Tsx { "TypeScript" } else { self.name }
    }

    /// A glob of its files.
    #[must_use]
    pub fn glob(&self) -> String {
        format!("**/*.{}", self.extensions[0])
    }
}
