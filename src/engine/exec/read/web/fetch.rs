//! One page over the network. Every host, also behind a redirect, is judged by the addresses it really has.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{Client, Response, Url};

use super::Address;
use super::guard::is_public;
use crate::engine::cancel::CancelToken;
use crate::engine::error::{Result, ToolError};
use crate::engine::exec::FetchPolicy;

const MAX_REDIRECTS: usize = 5;
const DEFAULT_TIME: Duration = Duration::from_secs(20);
const MAX_TIME: Duration = Duration::from_secs(300);
const CONNECT_TIME: Duration = Duration::from_secs(10);
const DEFAULT_BYTES: usize = 8 * 1024 * 1024;
const MOST_BYTES: usize = 64 * 1024 * 1024;
const ACCEPTED: &str =
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// Behind all redirects, without a name and password.
    pub url: Url,
    /// A success.
    pub status: u16,
    /// As the server names it.
    pub content_type: Option<String>,
    /// At most as many bytes as the policy allows.
    pub body: Vec<u8>,
    /// There was more.
    pub cut: bool,
    /// How often the server sent us on.
    pub redirects: usize,
}

/// Fetches a page.
pub fn get(address: &Address, policy: &FetchPolicy, cancel: &CancelToken) -> Result<Answer> {
    cancel.check()?;
    let failed = |reason: String| ToolError::Io { path: address.shown.clone(), reason };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| failed(format!("no network: {error}")))?;
    let time = limit(policy.timeout_ms, DEFAULT_TIME);
    let outcome = runtime.block_on(cancel.race(async {
        tokio::time::timeout(time, follow(address.url.clone(), policy))
            .await
            .unwrap_or_else(|_| Err(format!("no whole answer within {} seconds", time.as_secs_f64())))
            .map_err(failed)
    }));
    // A name that is being looked up cannot be called off; nobody waits for it.
    runtime.shutdown_background();
    outcome
}

fn limit(milliseconds: Option<f64>, default: Duration) -> Duration {
    let given = milliseconds.and_then(|given| Duration::try_from_secs_f64(given / 1000.0).ok());
    given.filter(|given| !given.is_zero()).unwrap_or(default).min(MAX_TIME)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; NaN is 0")]
fn byte_limit(policy: &FetchPolicy) -> usize {
    policy
        .max_bytes
        .map(|bytes| bytes as usize)
        .filter(|bytes| *bytes > 0)
        .unwrap_or(DEFAULT_BYTES)
        .min(MOST_BYTES)
}

async fn follow(mut url: Url, policy: &FetchPolicy) -> std::result::Result<Answer, String> {
    for redirects in 0..=MAX_REDIRECTS {
        let response = request(&url, policy).await?;
        if let Some(next) = next_place(&url, &response)? {
            url = next;
            continue;
        }
        return answer(url, response, redirects, byte_limit(policy)).await;
    }
    Err(format!("more than {MAX_REDIRECTS} redirects"))
}

async fn request(url: &Url, policy: &FetchPolicy) -> std::result::Result<Response, String> {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let private = policy.allow_private.allows(bare);
    // A literal address is never looked up, so the resolver does not see it.
    if let Ok(address) = bare.parse::<IpAddr>()
        && !private
        && !is_public(address)
    {
        return Err(refused(bare));
    }
    let request = client(private)?.get(url.clone()).header(ACCEPT, ACCEPTED);
    request.send().await.map_err(|error| explain(&error))
}

/// Where a redirect leads, if the answer is one.
fn next_place(url: &Url, response: &Response) -> std::result::Result<Option<Url>, String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(place) = response.headers().get(LOCATION) else { return Ok(None) };
    let place = String::from_utf8_lossy(place.as_bytes());
    let next = url.join(&place).map_err(|error| format!("a redirect to no address: {error}"))?;
    if !matches!(next.scheme(), "http" | "https") || !next.has_host() {
        return Err(format!("a redirect to `{}:`, which is no web page", next.scheme()));
    }
    Ok(Some(next))
}

async fn answer(
    mut url: Url,
    mut response: Response,
    redirects: usize,
    max_bytes: usize,
) -> std::result::Result<Answer, String> {
    let status = response.status();
    if !status.is_success() {
        return Err(format!("the server answered {status}"));
    }
    let content_type = response
        .headers()
        .get(CONTENT_TYPE)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let (mut body, mut cut) = (Vec::new(), false);
    while let Some(chunk) = response.chunk().await.map_err(|error| explain(&error))? {
        let left = max_bytes - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(left)]);
        if chunk.len() > left {
            cut = true;
            break;
        }
    }
    // Neither can fail for an address with a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Ok(Answer { url, status: status.as_u16(), content_type, body, cut, redirects })
}

/// The client for hosts that may be private, or must not. Connections are not kept: each call has a runtime of its own.
fn client(private: bool) -> std::result::Result<&'static Client, String> {
    static CLIENTS: [OnceLock<std::result::Result<Client, String>>; 2] = [OnceLock::new(), OnceLock::new()];
    let built = CLIENTS[usize::from(private)].get_or_init(|| {
        // Fails where someone installed a provider before us, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Client::builder()
            .user_agent(concat!("gajae-tool-core/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            // A proxy would connect for us, and the environment is not the engine's to read.
            .no_proxy()
            .pool_max_idle_per_host(0)
            .connect_timeout(CONNECT_TIME)
            .dns_resolver(Resolver { private })
            .build()
            .map_err(|error| explain(&error))
    });
    built.as_ref().map_err(Clone::clone)
}

struct Resolver {
    private: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let private = self.private;
        let host = name.as_str().to_owned();
        Box::pin(async move {
            let asked = host.clone();
            let found = tokio::task::spawn_blocking(move || (asked.as_str(), 0).to_socket_addrs()).await??;
            let found: Vec<SocketAddr> = found.filter(|address| private || is_public(address.ip())).collect();
            if found.is_empty() {
                return Err(refused(&host).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn refused(host: &str) -> String {
    format!("{host} is not a public address, and this session may fetch only those")
}

/// The innermost reason says what happened; the outer ones say only at which step.
fn explain(error: &reqwest::Error) -> String {
    let mut reason: &dyn std::error::Error = error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    if error.is_timeout() {
        return "no connection in time".into();
    }
    reason.to_string()
}
