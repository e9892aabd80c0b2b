// Plays in a tournament: connects to the arbiter that SIXTYSIX_ADDRESS names. Exit status: 0 when the
// tournament is over, 1 on a failure, 2 on wrong arguments, 3 after SIGINT or SIGTERM.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <ctime>
#include <exception>
#include <iostream>
#include <string_view>
#include <thread>

#include "bot/choose.h"

namespace {

constexpr int kThinkMs = 100;
constexpr int kMostMatches = 4;

constexpr int kFailed = 1;
constexpr int kWrongArguments = 2;
constexpr int kInterrupted = 3;

// Reads `--think-ms N`; 0 if the arguments are wrong.
int think_ms(int count, char** arguments) {
    if (count == 1) return kThinkMs;
    if (count != 3 || std::string_view(arguments[1]) != "--think-ms") return 0;
    const std::string_view text(arguments[2]);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number > 0 ? number : 0;
}

int play(std::chrono::milliseconds most, const sigset_t& signals) {
    using namespace sixtysix;
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const Introduction introduction{"cpp", "1.0.0", "", std::clamp(cores, 1, kMostMatches)};
    Client client(settings_from_environment(), introduction, make_choose(most));
    const std::jthread watcher([&](const std::stop_token& stop) {
        const timespec pause{0, 100'000'000};
        while (!stop.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &pause) > 0) {
                client.interrupt();
                return;
            }
        }
    });
    if (client.run() == PlayEnd::kOver) return 0;
    std::cerr << "interrupted\n";
    return kInterrupted;
}

}  // namespace

int main(int count, char** arguments) {
    const int most = think_ms(count, arguments);
    if (most == 0) {
        std::cerr << "usage: " << arguments[0] << " [--think-ms N]\n";
        return kWrongArguments;
    }
    // Blocked in all threads; one waits for them.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    try {
        return play(std::chrono::milliseconds(most), signals);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << "\n";
        return kFailed;
    }
}
