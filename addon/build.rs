//! Link settings of the addon, and nothing else.

fn main() {
    napi_build::setup();
}
