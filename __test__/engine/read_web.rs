//! `read` of web pages: what is fetched from where, and how it is shown. Servers are threads of the test.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;
use gajae_tool_core::engine::exec::read::{self, Options, web};
use gajae_tool_core::engine::exec::{AllowPrivate, Context};
use gajae_tool_core::engine::outcome::Outcome;
use serde_json::{Value, json};

use crate::tree::Tree;

/// A server on this machine that answers by path.
struct Server {
    address: String,
    port: u16,
    requests: Arc<AtomicUsize>,
}

type Respond = dyn Fn(&str, &str) -> Vec<u8> + Send + Sync;

impl Server {
    /// `respond` gets the path and the server's own address.
    fn new(respond: impl Fn(&str, &str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (address, requests) = (format!("http://127.0.0.1:{port}"), Arc::new(AtomicUsize::new(0)));
        let (own, counted, respond) = (address.clone(), Arc::clone(&requests), Arc::new(respond));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (own, respond) = (own.clone(), Arc::clone(&respond));
                thread::spawn(move || serve(stream, &own, &*respond));
            }
        });
        Self { address, port, requests }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

fn serve(stream: TcpStream, own: &str, respond: &Respond) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let Some(Ok(first)) = lines.next() else { return };
    lines.take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty())).for_each(drop);
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut stream = stream;
    let _ = stream.write_all(&respond(&path, own));
}

fn answer(content_type: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn redirect(place: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        .into_bytes()
}

fn context(settings: Value) -> Context {
    static SESSIONS: AtomicUsize = AtomicUsize::new(0);
    let tree = Tree::new(&[]).with(settings);
    let mut context = tree.context();
    context.remote.fetch.allow_private = AllowPrivate::All(true);
    context.remote.fetch.session = SESSIONS.fetch_add(1, Ordering::SeqCst) as u64;
    context
}

fn try_read(path: &str, context: &Context) -> Result<Outcome, ToolError> {
    read::run(&Options { path: path.into(), truncation: None }, context, &CancelToken::new())
}

#[track_caller]
fn fetch(path: &str) -> Outcome {
    try_read(path, &context(json!({}))).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines above `---`, and what stands below.
fn parts(outcome: &Outcome) -> (&str, &str) {
    outcome.text.split_once("\n---\n\n").unwrap_or_else(|| panic!("no header: {}", outcome.text))
}

#[test]
fn addresses_and_their_selectors() {
    for (text, url, selector) in [
        ("https://e.com", "https://e.com/", ""),
        ("http://e.com/a:5", "http://e.com/a", "5-"),
        ("https://e.com/a:5-9", "https://e.com/a", "5-9"),
        ("https://e.com/a:5+3", "https://e.com/a", "5-7"),
        ("https://e.com/a:raw", "https://e.com/a", "raw"),
        ("https://e.com/a:L5", "https://e.com/a:L5", ""),
        ("https://e.com/a:5,9", "https://e.com/a:5,9", ""),
        ("https://e.com:8080/x", "https://e.com:8080/x", ""),
        // A number directly behind the authority is a port.
        ("https://e.com:8080", "https://e.com:8080/", ""),
        ("https://e.com:80:5", "https://e.com:80/", "5-"),
        ("https://e.com:raw", "https://e.com/", "raw"),
        ("https://e.com:5-9", "https://e.com/", "5-9"),
        ("https://[::1]:8080", "https://[::1]:8080/", ""),
        ("https://[::1]", "https://[::1]/", ""),
        ("www.e.com", "https://www.e.com/", ""),
        ("www.e.com:raw", "https://www.e.com/", "raw"),
        ("HTTPS://E.com/A", "https://e.com/A", ""),
    ] {
        let address = web::parse(text).unwrap_or_else(|| panic!("{text}")).unwrap();
        let said = match &address.selector {
            None => String::new(),
            Some(read::selector::Selector::Lines { ranges, .. }) => {
                let end = ranges[0].end.map(|end| end.to_string()).unwrap_or_default();
                format!("{}-{end}", ranges[0].start)
            }
            Some(_) => "raw".into(),
        };
        assert_eq!(
            (address.url.as_str(), said.trim_end_matches(' ')),
            (url.trim_end_matches(' '), selector),
            "{text}"
        );
    }
    for text in ["e.com", "ftp://e.com", "file:///a", "src/http.rs", "httpx://a"] {
        assert!(web::parse(text).is_none(), "{text}");
    }
    assert_eq!(web::parse("https://e.com/a:0").unwrap().unwrap_err().code(), "invalid_selector");
    assert_eq!(web::parse("https://").unwrap().unwrap_err().code(), "invalid_arguments");
}

#[test]
fn only_public_addresses_are_public() {
    for address in [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "192.0.2.1",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2001:db8::1",
        "2001::1",
        "fec0::1",
        "64:ff9b:1::1",
    ] {
        assert!(!web::is_public(address.parse::<IpAddr>().unwrap()), "{address}");
    }
    for address in [
        "1.1.1.1",
        "93.184.216.34",
        "172.15.0.1",
        "172.32.0.1",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
    ] {
        assert!(web::is_public(address.parse::<IpAddr>().unwrap()), "{address}");
    }
}

#[test]
fn private_places_are_refused_however_they_are_written() {
    let server = Server::new(|_, _| answer("text/plain", "secret"));
    let port = server.port;
    let mut closed = context(json!({}));
    closed.remote.fetch.allow_private = AllowPrivate::All(false);
    for host in [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "[::ffff:7f00:1]",
        "0",
    ] {
        let error = try_read(&format!("http://{host}:{port}/"), &closed).unwrap_err();
        assert_eq!(error.code(), "io_error", "{host}");
        assert!(error.to_string().contains("not a public address"), "{host}: {error}");
    }
    assert_eq!(server.requests.load(Ordering::SeqCst), 0);
    closed.remote.fetch.allow_private = AllowPrivate::Hosts(vec!["127.0.0.1".into()]);
    assert!(try_read(&server.url("/"), &closed).is_ok());
    assert!(try_read(&format!("http://localhost:{port}/"), &closed).is_err());
}

#[test]
fn a_redirect_to_a_private_place_is_refused() {
    let inner = Server::new(|_, _| answer("text/plain", "secret"));
    let place = format!("http://localhost:{}/", inner.port);
    let outer = Server::new(move |path, _| match path {
        "/file" => redirect("file:///etc/passwd"),
        _ => redirect(&place),
    });
    let mut context = context(json!({}));
    context.remote.fetch.allow_private = AllowPrivate::Hosts(vec!["127.0.0.1".into()]);
    let error = try_read(&outer.url("/"), &context).unwrap_err();
    assert!(error.to_string().contains("localhost is not a public address"), "{error}");
    assert_eq!(inner.requests.load(Ordering::SeqCst), 0);
    assert!(try_read(&outer.url("/file"), &context).unwrap_err().to_string().contains("no web page"));
}

#[test]
fn pages_become_markdown_under_a_header() {
    let html = "<html><head><title>A &amp; B</title><style>x{}</style></head><body><script>1</script>\
                <h1>Head</h1><p>One <b>two</b> <a href='/x'>link</a></p><ul><li>a<li>b</ul></body></html>";
    let server = Server::new(move |_, _| answer("text/html; charset=utf-8", html));
    let outcome = fetch(&server.url("/a"));
    let (header, text) = parts(&outcome);
    assert_eq!(
        header,
        format!(
            "URL: {}/a\nContent-Type: text/html\nMethod: html to markdown\nNotes: title: A & B",
            server.address
        )
    );
    assert_eq!(text, "# Head\n\nOne **two** [link](/x)\n\n- a\n- b");
    assert_eq!(outcome.details["contentType"], "text/html");
    let source = outcome.meta.source.unwrap();
    assert_eq!((source.kind.as_str(), source.value), ("url", server.url("/a")));
    let raw = fetch(&server.url("/a:raw"));
    assert_eq!(parts(&raw).1, html);
}

#[test]
fn texts_stay_as_they_are_in_any_encoding() {
    let server = Server::new(|path, _| match path {
        "/json" => answer("application/json", "{\"a\": 1}\n"),
        "/latin" => answer("text/plain; charset=iso-8859-1", b"caf\xe9"),
        "/meta" => answer("text/html", b"<meta charset=\"windows-1251\"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>"),
        "/utf16" => answer("text/plain", b"\xff\xfea\0b\0"),
        "/sniffed" => answer("", "<!DOCTYPE html><p>x</p>"),
        "/bytes" => answer("application/octet-stream", b"\0\x01\x02"),
        _ => answer("image/png", include_bytes!("../fixtures/media/two.png")),
    });
    let text = |path: &str| parts(&fetch(&server.url(path))).1.to_owned();
    assert_eq!(text("/json"), "{\"a\": 1}\n");
    assert_eq!(text("/latin"), "café");
    assert_eq!(text("/meta"), "Привет");
    assert_eq!(text("/utf16"), "ab");
    assert_eq!(text("/sniffed"), "x");
    assert_eq!(fetch(&server.url("/bytes")).notices[0].kind, "binary");
    assert_eq!(fetch(&server.url("/picture")).images[0].mime_type, "image/png");
}

#[test]
fn pages_are_turned_without_fetching_again() {
    let server = Server::new(|_, _| {
        let body = (1..=700).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
        answer("text/plain", body)
    });
    let context = context(json!({}));
    let first = try_read(&server.url("/a"), &context).unwrap();
    let notice = first.notices.iter().find(|notice| notice.kind == "footer_head").expect("a footer");
    assert_eq!((&notice.facts["shown"], &notice.facts["next"]), (&json!(300), &json!(301)));
    let second = try_read(&server.url("/a:301"), &context).unwrap();
    assert!(parts(&second).1.starts_with("line 300\nline 301\n"), "{}", second.text);
    assert_eq!(server.requests.load(Ordering::SeqCst), 1);
    // The page as it is now.
    try_read(&server.url("/a"), &context).unwrap();
    assert_eq!(server.requests.load(Ordering::SeqCst), 2);
    // Another session has not seen it.
    fetch(&server.url("/a:301"));
    assert_eq!(server.requests.load(Ordering::SeqCst), 3);
}

#[test]
fn redirects_are_followed_so_far() {
    let server = Server::new(|path, own| match path.trim_start_matches('/').parse::<u32>() {
        Ok(0) => answer("text/plain", "there"),
        Ok(number) => redirect(&format!("{own}/{}", number - 1)),
        Err(_) => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec(),
    });
    let outcome = fetch(&server.url("/5"));
    assert_eq!(parts(&outcome).1, "there");
    assert!(parts(&outcome).0.contains("redirected 5 times"), "{}", outcome.text);
    for (path, reason) in [("/6", "more than 5 redirects"), ("/gone", "404 Not Found")] {
        let error = try_read(&server.url(path), &context(json!({}))).unwrap_err();
        assert_eq!(error.code(), "io_error");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn slow_and_endless_servers_are_bounded() {
    let server = Server::new(|path, _| {
        if path == "/slow" {
            thread::sleep(Duration::from_secs(5));
        }
        let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n".to_vec();
        bytes.extend("x".repeat(3_000_000).bytes());
        bytes
    });
    let mut context = context(json!({}));
    context.remote.fetch.timeout_ms = Some(300.0);
    let started = Instant::now();
    let error = try_read(&server.url("/slow"), &context).unwrap_err();
    assert!(
        started.elapsed() < Duration::from_secs(3) && error.to_string().contains("0.3 seconds"),
        "{error}"
    );
    context.remote.fetch.timeout_ms = None;
    context.remote.fetch.max_bytes = Some(1000.0);
    let outcome = try_read(&server.url("/long"), &context).unwrap();
    assert!(parts(&outcome).0.contains("only the first 1000B were read"), "{}", &outcome.text[..200]);

    let cancel = CancelToken::new();
    let canceller = cancel.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        canceller.cancel();
    });
    let options = Options { path: server.url("/slow"), truncation: None };
    let started = Instant::now();
    assert_eq!(read::run(&options, &context, &cancel).unwrap_err().code(), "aborted");
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn html_nested_beyond_reason_is_text() {
    let started = Instant::now();
    let deep = "<div>".repeat(60_000) + "deep" + &"</div>".repeat(60_000);
    let open = "<b><i>".repeat(30_000) + "open";
    let many = "<p>many".repeat(20_000);
    // Such neighbours are joined by the converter, each time with all the text so far.
    let bold = "<b>bold</b>".repeat(110_000);
    let server = Server::new(move |path, _| match path {
        "/deep" => answer("text/html", &deep),
        "/open" => answer("text/html", &open),
        "/bold" => answer("text/html", &bold),
        _ => answer("text/html", &many),
    });
    for (path, text, reason) in [
        ("/deep", "deep", "nested too deep"),
        ("/open", "open", "nested too deep"),
        ("/bold", "bold\nbold", "too many elements"),
    ] {
        let page = fetch(&server.url(path)).text;
        assert!(page.contains(text) && page.contains("text without structure: "), "{path}");
        assert!(page.contains(reason), "{path}");
    }
    assert!(fetch(&server.url("/many")).text.contains("many\n\nmany"));
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn the_setting_turns_pages_off() {
    let error = try_read("https://e.com", &context(json!({"fetch.enabled": false}))).unwrap_err();
    assert_eq!(error.code(), "url_disabled");
    let options = serde_json::from_value(json!({"path": "https://e.com", "truncation": "head"})).unwrap();
    let error = read::run(&options, &context(json!({})), &CancelToken::new()).unwrap_err();
    assert_eq!(error.code(), "truncation_unsupported");
}

#[test]
fn a_file_with_the_name_of_a_page_is_a_file() {
    let tree = Tree::new(&[("www.example.org", "x\n")]);
    assert!(try_read("www.example.org", &tree.context()).unwrap().text.contains("|x"));
}
