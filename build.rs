//! Link settings of the addon, and nothing else.

fn main() {
    #[cfg(feature = "napi")]
    napi_build::setup();
}
