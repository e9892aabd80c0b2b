//! Generates the messages and the stub of the client from the protocol's files, without a `protoc`.

use std::error::Error;
use std::path::Path;

const ROOT: &str = "../../protos";
const FILES: [&str; 2] = ["sixtysix/v1/bot_service.proto", "sixtysix/v1/status.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={ROOT}");
    let descriptors = protox::compile(FILES, [Path::new(ROOT)])?;
    tonic_prost_build::configure().build_server(false).compile_fds(descriptors)?;
    Ok(())
}
