// Plays in a tournament: connects to the arbiter that SIXTYSIX_ADDRESS names. Exit status: 0 when the
// tournament is over, 1 on a failure, 3 after SIGINT or SIGTERM.
#include <csignal>
#include <ctime>
#include <exception>
#include <iostream>
#include <thread>

#include "bot/choose.h"

namespace {

constexpr int kMatches = 4;  // at the same time, each in a thread of its own

constexpr int kFailed = 1;
constexpr int kInterrupted = 3;

int play(const sigset_t& signals) {
    using namespace sixtysix;
    Client client(settings_from_environment(), {"my_bot", "0.1.0", "", kMatches}, choose);
    const std::jthread watcher([&](const std::stop_token& stop) {
        const timespec pause{0, 100'000'000};
        while (!stop.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &pause) > 0) {
                client.interrupt();
                return;
            }
        }
    });
    return client.run() == PlayEnd::kOver ? 0 : kInterrupted;
}

}  // namespace

int main() {
    // Blocked in all threads; one waits for them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    try {
        return play(signals);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << "\n";
        return kFailed;
    }
}
