//! HTML as Markdown. To be called on a large stack, as `bounded` has: the converter recurses over elements.

use htmd::HtmlToMarkdown;
use htmd::options::{BulletListMarker, HrStyle, Options};

/// Elements within one another. Converting is quadratic in it, and recursive.
const MAX_NESTING: usize = 400;
/// Tags of a page. Some neighbours, such as a row of bold words or what stands where no table may hold it, make converting
/// quadratic in their number.
const MAX_TAGS: usize = 200_000;
/// Elements that say nothing to a reader.
const SKIPPED: &[&str] =
    &["script", "style", "noscript", "template", "svg", "iframe", "canvas", "head", "object", "embed"];
/// Elements without an end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
/// Elements whose end tag may be left out: a neighbour ends them, so they do not nest in themselves.
const OPTIONAL_END: &[&str] = &[
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "rt", "rp",
    "colgroup", "caption", "html", "head", "body",
];

/// Why a page is not for the converter, which would take too long over it or overflow its stack.
#[must_use]
pub fn too_much(html: &str) -> Option<&'static str> {
    let (deepest, tags) = nesting(html);
    match () {
        () if deepest > MAX_NESTING => Some("its elements are nested too deep"),
        () if tags > MAX_TAGS => Some("it has too many elements"),
        () => None,
    }
}

/// The Markdown of a page. One that is [`too_much`] for the converter loses its structure, not its text.
#[must_use]
pub fn convert(html: &str) -> String {
    if too_much(html).is_some() {
        return without_tags(html);
    }
    let options = Options {
        bullet_list_marker: BulletListMarker::Dash,
        hr_style: HrStyle::Dashes,
        ul_bullet_spacing: 1,
        ol_number_spacing: 1,
        ..Options::default()
    };
    let converter = HtmlToMarkdown::builder().options(options).skip_tags(SKIPPED.to_vec()).build();
    converter.convert(html).unwrap_or_else(|_| without_tags(html))
}

/// The title of a page, on one line.
#[must_use]
pub fn title(html: &str) -> Option<String> {
    let start = find_ignoring_case(html, "<title", 0)?;
    let start = start + html[start..].find('>')? + 1;
    let end = find_ignoring_case(html, "</title", start)?;
    let title = without_tags(&html[start..end]).split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

fn find_ignoring_case(text: &str, needle: &str, from: usize) -> Option<usize> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    memchr::memchr_iter(needle[0], text.get(from..)?)
        .map(|at| from + at)
        .find(|at| text.get(*at..at + needle.len()).is_some_and(|part| part.eq_ignore_ascii_case(needle)))
}

/// How deep elements may be nested, seen in one pass: at least as deep as a parser would have it. And how many tags
/// there are.
fn nesting(html: &str) -> (usize, usize) {
    let (mut depth, mut deepest, mut count) = (0_usize, 0, 0);
    for tag in tags(html) {
        count += 1;
        if tag.closes {
            // Only what opened something: `</p>` closes what was never counted.
            if !OPTIONAL_END.contains(&tag.name.as_str()) && !VOID.contains(&tag.name.as_str()) {
                depth = depth.saturating_sub(1);
            }
        } else if !OPTIONAL_END.contains(&tag.name.as_str()) && !VOID.contains(&tag.name.as_str()) {
            depth += 1;
            deepest = deepest.max(depth);
        }
    }
    (deepest, count)
}

struct Tag {
    name: String,
    closes: bool,
    /// The place of its `<`, and behind its `>`.
    start: usize,
    end: usize,
}

fn tags(html: &str) -> impl Iterator<Item = Tag> {
    let bytes = html.as_bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let start = next + memchr::memchr(b'<', bytes.get(next..)?)?;
            if bytes[start..].starts_with(b"<!--") {
                next = start + html[start..].find("-->").map_or(html.len() - start, |at| at + 3);
                continue;
            }
            let closes = bytes.get(start + 1) == Some(&b'/');
            let name_start = start + 1 + usize::from(closes);
            let length = bytes[name_start.min(bytes.len())..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
                .count();
            next = start + 1;
            if length == 0 || !bytes[name_start].is_ascii_alphabetic() {
                continue;
            }
            let end = name_start
                + memchr::memchr(b'>', &bytes[name_start..]).map_or(bytes.len() - name_start, |at| at + 1);
            next = end;
            return Some(Tag {
                name: html[name_start..name_start + length].to_ascii_lowercase(),
                closes,
                start,
                end,
            });
        }
    })
}

/// The text between the tags, scripts and styles left out, the commonest character references resolved.
#[must_use]
pub fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut from = 0;
    let mut skipping: Option<String> = None;
    for tag in tags(html) {
        if skipping.is_none() {
            text.push_str(html.get(from..tag.start).unwrap_or_default());
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        from = tag.end;
        match &skipping {
            Some(name) if tag.closes && *name == tag.name => skipping = None,
            None if !tag.closes && matches!(tag.name.as_str(), "script" | "style") => {
                skipping = Some(tag.name);
            }
            _ => {}
        }
    }
    if skipping.is_none() {
        text.push_str(html.get(from..).unwrap_or_default());
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (reference, character)| text.replace(reference, character))
}
