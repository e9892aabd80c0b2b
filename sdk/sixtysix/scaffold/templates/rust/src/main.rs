//! Plays in a tournament until it is over. The environment says where: `SIXTYSIX_ADDRESS`, `SIXTYSIX_TOKEN`.

use std::process::ExitCode;
use std::sync::Arc;

use my_bot::bot::MyBot;
use my_bot::client::{Ending, Settings, run};
use tokio::signal::unix::{SignalKind, signal};

/// Exit status after Ctrl-C or a polite request to end.
const INTERRUPTED: u8 = 3;

fn main() -> ExitCode {
    match play() {
        Ok(Ending::Over) => ExitCode::SUCCESS,
        Ok(Ending::Interrupted) => ExitCode::from(INTERRUPTED),
        Ok(Ending::Refused(problem) | Ending::Failed(problem)) | Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<Ending, String> {
    let settings = Settings::from_env().map_err(|error| error.to_string())?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let ending = runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(|error| error.to_string())?;
        let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
        let stop = async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        };
        Ok(run(Arc::new(MyBot), &settings, stop).await)
    });
    runtime.shutdown_background();
    ending
}
