//! What a model wrote for a web page, and the part of it that is wanted. Pure.

use reqwest::Url;

use super::super::selector::{self, Selector, Split};
use crate::engine::error::{Result, ToolError};

/// A web page.
#[derive(Debug, Clone)]
pub struct Address {
    /// What is fetched.
    pub url: Url,
    /// As the model is shown it.
    pub shown: String,
    /// The lines that are wanted.
    pub selector: Option<Selector>,
}

/// The address in a text that names a web page; none where it names something else.
#[must_use]
pub fn parse(text: &str) -> Option<Result<Address>> {
    starts_like_a_page(text).then(|| address(text))
}

fn starts_like_a_page(text: &str) -> bool {
    let starts = |start: &str| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    starts("http://") || starts("https://") || starts("www.")
}

fn address(text: &str) -> Result<Address> {
    let split = split(text);
    let selector = selector::parse(&split)?;
    let shown = split.target.to_owned();
    let full = if has_scheme(&shown) { shown.clone() } else { format!("https://{shown}") };
    let refuse =
        |reason: String| ToolError::argument("path", format!("`{shown}` is not a web address: {reason}"));
    let mut url = Url::parse(&full).map_err(|error| refuse(error.to_string()))?;
    if !url.has_host() {
        return Err(refuse("it names no host".into()));
    }
    url.set_fragment(None);
    Ok(Address { url, shown, selector })
}

fn has_scheme(text: &str) -> bool {
    text.contains("://")
}

/// The last colon separates a selector, unless a number behind it is the port.
fn split(text: &str) -> Split<'_> {
    let whole = Split { target: text, selector: None };
    let Some((target, tail)) = text.rsplit_once(':') else { return whole };
    if !starts_like_a_page(target) || !is_selector(tail) || is_port(target, tail) {
        return whole;
    }
    Split { target, selector: Some(tail) }
}

/// `raw`, `N`, `A-B`, `A+C`: less than files have, since addresses are full of colons.
fn is_selector(tail: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    tail == "raw"
        || match tail.split_once(['-', '+']) {
            Some((start, end)) => is_number(start) && is_number(end),
            None => is_number(tail),
        }
}

/// Whether a tail stands directly behind an authority that has no port yet.
fn is_port(target: &str, tail: &str) -> bool {
    let authority = target.split_once("://").map_or(target, |(_, rest)| rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let has_port = host.rsplit_once(']').map_or(host, |(_, rest)| rest).contains(':');
    !authority.contains(['/', '?', '#']) && !has_port && tail.bytes().all(|byte| byte.is_ascii_digit())
}
