//! Cancelling: final, shared, never missed.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use gajae_tool_core::engine::cancel::CancelToken;
use gajae_tool_core::engine::error::ToolError;

fn poll<T>(future: impl Future<Output = T>) -> Poll<T> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_clone_sees_the_cancel_of_another() {
    let token = CancelToken::new();
    let clone = token.clone();
    assert_eq!(clone.check(), Ok(()));
    token.cancel();
    assert_eq!(clone.check(), Err(ToolError::aborted()));
}

#[test]
fn a_cancel_before_the_wait_is_not_missed() {
    let token = CancelToken::new();
    token.cancel();
    assert_eq!(poll(token.cancelled()), Poll::Ready(()));
}

#[test]
fn a_cancel_during_the_wait_wakes_it() {
    let token = CancelToken::new();
    let mut wait = pin!(token.cancelled());
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(wait.as_mut().poll(&mut context), Poll::Pending);
    token.cancel();
    assert_eq!(wait.as_mut().poll(&mut context), Poll::Ready(()));
}

#[test]
fn a_finished_race_wins_over_a_cancel_of_the_same_moment() {
    let token = CancelToken::new();
    token.cancel();
    assert_eq!(poll(token.race(async { Ok(1) })), Poll::Ready(Ok(1)));
    assert_eq!(
        poll(token.race(std::future::pending::<Result<(), _>>())),
        Poll::Ready(Err(ToolError::aborted()))
    );
}
