// The way to the arbiter: connects, says hello, answers pings while the bot thinks, resumes after a lost
// connection.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "client/session.h"

namespace sixtysix {

// Where and as whom to play; see "Bots that the arbiter starts" in docs/protocol.md.
struct Settings {
    std::string address;  // host:port
    std::string token;
    std::string name;         // may be empty
    std::string ca;           // PEM file of the arbiter's authority, or "system"; empty: no TLS
    std::string certificate;  // PEM file of a certificate to show; may be empty
    std::string key;          // PEM file of its key
};

// Reads the SIXTYSIX_ variables of the environment. Throws ClientError.
Settings settings_from_environment();

// Why the bot does not play, or does not play on.
class ClientError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The place of the action in Question::legal_actions. Called by one thread for each match at the same time.
using Choose = std::function<int(const Question& question)>;

// How a bot presents itself.
struct Introduction {
    std::string name, version, author;
    int matches = 1;  // at the same time, each with a thread
};

enum class PlayEnd { kOver, kInterrupted };

// Plays until the tournament is over or `interrupt` was called. Throws ClientError.
class Client {
  public:
    Client(Settings settings, const Introduction& introduction, Choose choose);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    PlayEnd run();
    // Leaves; may be called by any thread.
    void interrupt();

  private:
    class Work;
    std::unique_ptr<Work> work_;
};

}  // namespace sixtysix
