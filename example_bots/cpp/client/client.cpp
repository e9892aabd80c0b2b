#include "client/client.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>
#include <utility>

#include "client/stream_end.h"
#include "sixtysix/v1/bot_service.grpc.pb.h"

namespace sixtysix {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Stream = grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>;

constexpr auto kFirstDelay =
    100ms;  // before the first attempt to connect again; each further one waits twice as long
constexpr auto kLongestDelay = 5000ms;
constexpr auto kGiveUp = 60s;    // time without a connection after which the bot gives up
constexpr auto kLeaveTime = 2s;  // most time that the arbiter gets to end the stream after `leave`
constexpr int kDecisionsPerMessage = 64;
constexpr const char* kSystemAuthorities = "system";

std::string from_environment(const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

std::string read_pem(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || text.str().empty()) throw ClientError(path + " cannot be read");
    return text.str();
}

std::shared_ptr<grpc::ChannelCredentials> credentials_of(const Settings& settings) {
    if (settings.ca.empty()) return grpc::InsecureChannelCredentials();
    grpc::SslCredentialsOptions options;
    if (settings.ca != kSystemAuthorities) options.pem_root_certs = read_pem(settings.ca);
    if (!settings.certificate.empty()) {
        options.pem_cert_chain = read_pem(settings.certificate);
        options.pem_private_key = read_pem(settings.key);
    }
    return grpc::SslCredentials(options);
}

std::shared_ptr<grpc::Channel> make_channel(const Settings& settings) {
    grpc::ChannelArguments arguments;
    // A silent network is noticed within the time for which matches usually wait for their bot.
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 6'000);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 4'000);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    // Each attempt has a channel of its own, so that gRPC adds no waiting time to that of the client.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const bool local = settings.address.starts_with("127.") || settings.address.starts_with("localhost:") ||
                       settings.address.starts_with("[::1]:");
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, local ? 0 : 1);
    return grpc::CreateCustomChannel(settings.address, credentials_of(settings), arguments);
}

v1::Hello hello_of(const Settings& settings, const Introduction& introduction) {
    v1::Hello hello;
    hello.set_protocol_major(1);
    hello.set_protocol_minor(0);
    hello.set_bot_name(settings.name.empty() ? introduction.name : settings.name);
    hello.set_bot_version(introduction.version);
    hello.set_author(introduction.author);
    hello.set_sdk("example client in C++");
    hello.set_language("C++20");
    hello.set_max_concurrent_matches(static_cast<std::uint32_t>(introduction.matches));
    hello.set_max_decisions_per_message(kDecisionsPerMessage);
    hello.set_ask_before_draw(true);
    return hello;
}

}  // namespace

Settings settings_from_environment() {
    Settings settings{
        .address = from_environment("SIXTYSIX_ADDRESS"),
        .token = from_environment("SIXTYSIX_TOKEN"),
        .name = from_environment("SIXTYSIX_BOT_NAME"),
        .ca = from_environment("SIXTYSIX_TLS_CA"),
        .certificate = from_environment("SIXTYSIX_TLS_CERT"),
        .key = from_environment("SIXTYSIX_TLS_KEY"),
    };
    if (settings.address.empty()) throw ClientError("no address: set SIXTYSIX_ADDRESS");
    if (settings.token.empty()) throw ClientError("no token: set SIXTYSIX_TOKEN");
    const auto printable = [](char letter) { return letter >= ' ' && letter <= '~'; };
    if (!std::ranges::all_of(settings.token, printable)) {
        throw ClientError("the token must consist of printable ASCII characters");
    }
    if (settings.certificate.empty() != settings.key.empty()) {
        throw ClientError("SIXTYSIX_TLS_CERT and SIXTYSIX_TLS_KEY belong together: set both");
    }
    if (settings.ca.empty() && !settings.certificate.empty()) {
        throw ClientError("a certificate is shown to an arbiter that is known: set SIXTYSIX_TLS_CA too");
    }
    return settings;
}

class Client::Work {
  public:
    Work(Settings settings, const Introduction& introduction, Choose choose)
        : settings_(std::move(settings)),
          choose_(std::move(choose)),
          session_(hello_of(settings_, introduction)) {
        for (int thread = 0; thread < introduction.matches; ++thread) {
            workers_.emplace_back([this] { think(); });
        }
    }

    ~Work() {
        {
            const std::lock_guard guard(mutex_);
            stopping_ = true;
            for (const QuestionPtr& question : thinking_) question->closed = true;
        }
        changed_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    PlayEnd run() {
        auto alone_since = Clock::now();
        std::chrono::milliseconds delay = kFirstDelay;
        bool told = false;
        std::minstd_rand generator{std::random_device{}()};
        while (true) {
            const StreamEnd end = follow();
            std::unique_lock lock(mutex_);
            if (failure_ != nullptr) std::rethrow_exception(failure_);
            if (interrupted_) return PlayEnd::kInterrupted;
            if (end.over()) return PlayEnd::kOver;
            if (!end.lost()) throw ClientError(settings_.address + " ended the connection: " + end.text());
            if (session_.welcomed()) {
                alone_since = Clock::now();
                delay = kFirstDelay;
                told = false;
            }
            if (Clock::now() - alone_since >= kGiveUp) {
                throw ClientError("no connection to " + settings_.address + " for a minute: " + end.text());
            }
            if (!told)
                std::cerr << "no connection to " << settings_.address << " (" << end.text()
                          << "), trying again\n";
            told = true;
            // A random part keeps many bots from coming back at the same moment.
            const double part = std::uniform_real_distribution(0.5, 1.0)(generator);
            changed_.wait_for(lock, delay * part, [this] { return interrupted_; });
            if (interrupted_) return PlayEnd::kInterrupted;
            delay = std::min(2 * delay, std::chrono::milliseconds(kLongestDelay));
        }
    }

    void interrupt() {
        std::unique_lock lock(mutex_);
        interrupted_ = true;
        leave("interrupted");
        changed_.notify_all();
        if (!changed_.wait_for(lock, kLeaveTime, [this] { return stream_ == nullptr; }))
            context_->TryCancel();
    }

  private:
    // Plays on one stream until it ends.
    StreamEnd follow() {
        grpc::ClientContext context;
        context.AddMetadata("authorization", "Bearer " + settings_.token);
        const auto stub = v1::BotService::NewStub(make_channel(settings_));
        const std::unique_ptr<Stream> stream = stub->Play(&context);
        {
            const std::lock_guard guard(mutex_);
            if (interrupted_ || failure_ != nullptr) context.TryCancel();
            stream_ = stream.get();
            context_ = &context;
            session_.restart();
            send({session_.hello()});
        }
        v1::PlayResponse message;
        while (stream->Read(&message)) take(message);
        {
            const std::lock_guard guard(mutex_);
            stream_ = nullptr;
            changed_.notify_all();
        }
        return StreamEnd::of(stream->Finish());
    }

    void take(const v1::PlayResponse& message) {
        const auto arrived = Clock::now();
        const std::lock_guard guard(mutex_);
        if (interrupted_ || failure_ != nullptr) return;
        try {
            Reaction reaction = session_.take(message, arrived);
            for (const std::string& note : reaction.notes) std::cerr << note << "\n";
            send(std::move(reaction.commands));
            for (QuestionPtr& question : reaction.questions) questions_.push_back(std::move(question));
        } catch (const WireError& error) {
            fail(std::make_exception_ptr(
                     ClientError(std::string("the arbiter broke the protocol: ") + error.what())),
                 error.what());
        }
        changed_.notify_all();
    }

    // The life of a thread that thinks.
    void think() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return stopping_ || !questions_.empty(); });
            if (stopping_) return;
            const QuestionPtr question = std::move(questions_.front());
            questions_.pop_front();
            if (question->closed) continue;
            thinking_.push_back(question);
            lock.unlock();
            int place = kNone;
            std::exception_ptr problem;
            try {
                place = choose_(*question);
            } catch (const std::exception& error) {
                problem = std::make_exception_ptr(
                    ClientError(std::string("the bot failed to choose: ") + error.what()));
            }
            lock.lock();
            std::erase(thinking_, question);
            if (problem != nullptr) {
                fail(problem, "the bot failed to choose");
            } else {
                v1::Command command;
                if (session_.answer(*question, question->legal_actions.at(place), command))
                    send({std::move(command)});
            }
        }
    }

    // The following are called with the mutex held.

    // What is not sent is not missed: the arbiter repeats offers and open decisions on the next stream.
    void send(std::vector<v1::Command> commands) {
        if (stream_ == nullptr || commands.empty() || left_) return;
        if (!session_.welcomed() && !commands.front().has_hello()) return;
        v1::PlayRequest request;
        for (v1::Command& command : commands) *request.add_commands() = std::move(command);
        stream_->Write(request);
    }

    void leave(const std::string& reason) {
        if (stream_ == nullptr) return;
        if (!session_.welcomed()) {
            context_->TryCancel();
            return;
        }
        v1::Command command;
        command.mutable_leave()->set_reason(reason);
        send({std::move(command)});
        left_ = true;
    }

    void fail(std::exception_ptr problem, const std::string& reason) {
        if (failure_ != nullptr) return;
        failure_ = std::move(problem);
        leave(reason);
    }

    const Settings settings_;
    const Choose choose_;
    std::mutex mutex_;  // guards all that follows
    std::condition_variable changed_;
    Session session_;
    Stream* stream_ = nullptr;
    grpc::ClientContext* context_ = nullptr;
    std::deque<QuestionPtr> questions_;
    std::vector<QuestionPtr> thinking_;
    std::exception_ptr failure_;
    bool interrupted_ = false;
    bool left_ = false;
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

Client::Client(Settings settings, const Introduction& introduction, Choose choose)
    : work_(std::make_unique<Work>(std::move(settings), introduction, std::move(choose))) {}

Client::~Client() = default;

PlayEnd Client::run() {
    return work_->run();
}

void Client::interrupt() {
    work_->interrupt();
}

}  // namespace sixtysix
