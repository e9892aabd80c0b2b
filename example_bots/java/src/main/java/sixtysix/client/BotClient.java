package sixtysix.client;

import com.google.protobuf.TextFormat;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelRegistry.ProviderNotFoundException;
import io.grpc.Metadata;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import sixtysix.game.MessageException;
import sixtysix.v1.BotServiceGrpc;
import sixtysix.v1.BotServiceOuterClass.Command;
import sixtysix.v1.BotServiceOuterClass.Hello;
import sixtysix.v1.BotServiceOuterClass.Leave;
import sixtysix.v1.BotServiceOuterClass.PlayRequest;
import sixtysix.v1.BotServiceOuterClass.PlayResponse;
import sixtysix.v1.Deal.Action;

/**
 * Plays in a tournament, on one stream after another. gRPC's threads read, and answer what needs no thinking; the bot
 * thinks in threads of its own.
 */
public final class BotClient {
    private static final int PROTOCOL_MAJOR = 1;
    private static final int PROTOCOL_MINOR = 0;
    private static final int DECISIONS_PER_MESSAGE = 64;

    /** Time without a connection after which the bot gives up. */
    private static final Duration GIVE_UP = Duration.ofSeconds(60);

    /** Most time that the arbiter gets to end the stream after {@code leave}. */
    private static final Duration LEAVE_TIME = Duration.ofSeconds(2);

    /** A silent network is noticed within these two; gRPC does not ask more often. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

    private static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(4);

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** Opens a channel. Each attempt has its own, so that gRPC adds no waiting time to that of the client. */
    @FunctionalInterface
    interface Connector {
        ManagedChannel open() throws ClientException;
    }

    private final Settings settings;
    private final Bot bot;
    private final Connector connector;
    private final Backoff backoff;
    private final ExecutorService thinkers;

    private final ReentrantLock lock = new ReentrantLock(); // guards all that follows
    private final Condition changed = lock.newCondition();
    private final Session session;
    private ClientCallStreamObserver<PlayRequest> stream; // null while there is none
    private ClientException failure;
    private boolean interrupted;
    private boolean leaving;
    private long leaveBy;

    /** A client that connects when {@link #run} is called. */
    public BotClient(Settings settings, Introduction introduction, Bot bot) {
        this(settings, introduction, bot, () -> connect(settings), new Backoff(new SplittableRandom(), Backoff.FIRST));
    }

    BotClient(Settings settings, Introduction introduction, Bot bot, Connector connector, Backoff backoff) {
        this.settings = settings;
        this.bot = bot;
        this.connector = connector;
        this.backoff = backoff;
        session = new Session(hello(settings, introduction));
        thinkers = Executors.newFixedThreadPool(introduction.matches(), task -> {
            Thread thread = new Thread(task, "thinker");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Plays until the tournament is over, or {@link #interrupt} is called. To be called once.
     *
     * @throws ClientException if the bot cannot connect, is refused, or fails
     */
    public Ending run() throws ClientException, InterruptedException {
        lock.lock();
        try {
            long aloneSince = System.nanoTime();
            boolean told = false;
            while (!isStopped()) {
                StreamEnd end = follow();
                if (isStopped()) {
                    break;
                }
                if (end.isOver()) {
                    return Ending.OVER;
                }
                if (!end.isLost()) {
                    throw new ClientException(settings.address() + " ended the connection: " + end);
                }
                if (session.isWelcomed()) {
                    aloneSince = System.nanoTime();
                    backoff.reset();
                    told = false;
                }
                if (System.nanoTime() - aloneSince >= GIVE_UP.toNanos()) {
                    throw new ClientException(
                            "no connection to %s for %d s: %s".formatted(settings.address(), GIVE_UP.toSeconds(), end));
                }
                if (!told) {
                    System.err.printf("no connection to %s (%s), trying again%n", settings.address(), end);
                    told = true;
                }
                pause(backoff.next());
            }
            if (failure != null) {
                throw failure;
            }
            return Ending.INTERRUPTED;
        } finally {
            lock.unlock();
            thinkers.shutdownNow();
        }
    }

    /** Leaves; {@link #run} then returns. May be called by any thread. */
    public void interrupt() {
        lock.lock();
        try {
            interrupted = true;
            leave("interrupted");
        } finally {
            lock.unlock();
        }
    }

    private static ManagedChannel connect(Settings settings) throws ClientException {
        try {
            return Grpc.newChannelBuilderForAddress(settings.host(), settings.port(), settings.credentials())
                    .keepAliveTime(KEEP_ALIVE.toSeconds(), TimeUnit.SECONDS)
                    .keepAliveTimeout(KEEP_ALIVE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .disableRetry()
                    .build();
        } catch (ProviderNotFoundException error) { // nobody can read the certificates
            throw new ClientException("no channel to %s: %s".formatted(settings.address(), error.getMessage()), error);
        }
    }

    private static Hello hello(Settings settings, Introduction introduction) {
        return Hello.newBuilder()
                .setProtocolMajor(PROTOCOL_MAJOR)
                .setProtocolMinor(PROTOCOL_MINOR)
                .setBotName(settings.name().isEmpty() ? introduction.name() : settings.name())
                .setBotVersion(introduction.version())
                .setAuthor(introduction.author())
                .setSdk("example client in Java")
                .setLanguage("Java " + Runtime.version().feature())
                .setMaxConcurrentMatches(introduction.matches())
                .setMaxDecisionsPerMessage(DECISIONS_PER_MESSAGE)
                .setAskBeforeDraw(true)
                .build();
    }

    /** The life of a thread that thinks about a question. */
    private void think(Question question) {
        if (question.isClosed()) {
            return;
        }
        try {
            Action action = bot.choose(question);
            if (!question.view().legalActions().contains(action)) {
                throw new IllegalStateException("not a legal action: "
                        + TextFormat.printer().emittingSingleLine(true).printToString(action));
            }
            lock.lock();
            try {
                session.answer(question, action).ifPresent(command -> send(List.of(command)));
            } finally {
                lock.unlock();
            }
        } catch (RuntimeException | Error problem) {
            problem.printStackTrace();
            fail(new ClientException("the bot failed to choose: " + problem, problem));
        }
    }

    private void take(Reader reader, PlayResponse message) {
        long arrivedNanos = System.nanoTime();
        lock.lock();
        try {
            if (stream == null || reader.end != null || leaving) {
                return;
            }
            Reaction reaction = session.take(message, arrivedNanos);
            reaction.notes().forEach(System.err::println);
            send(reaction.commands());
            reaction.questions().forEach(question -> thinkers.execute(() -> think(question)));
        } catch (MessageException error) {
            fail(new ClientException("the arbiter broke the protocol: " + error.getMessage(), error));
        } catch (RuntimeException error) { // else gRPC would end the stream, and the client begin another
            fail(new ClientException("the client failed: " + error, error));
        } finally {
            lock.unlock();
        }
    }

    private void fail(ClientException problem) {
        lock.lock();
        try {
            if (failure == null) {
                failure = problem;
                leave(problem.getMessage());
            }
        } finally {
            lock.unlock();
        }
    }

    // The following are called with the lock held.

    /** Plays on one stream until it ends. */
    private StreamEnd follow() throws ClientException, InterruptedException {
        ManagedChannel channel = connector.open();
        try {
            Metadata headers = new Metadata();
            headers.put(AUTHORIZATION, "Bearer " + settings.token());
            Reader reader = new Reader();
            stream = (ClientCallStreamObserver<PlayRequest>) BotServiceGrpc.newStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .play(reader);
            leaving = false;
            stream.onNext(PlayRequest.newBuilder().addCommands(session.open()).build());
            while (reader.end == null) {
                if (!leaving) {
                    changed.await();
                } else if (changed.awaitNanos(leaveBy - System.nanoTime()) <= 0) {
                    return StreamEnd.ok(); // an arbiter that does not end the stream is left all the same
                }
            }
            return reader.end;
        } finally {
            stream = null;
            channel.shutdownNow();
        }
    }

    private boolean isStopped() {
        return interrupted || failure != null;
    }

    private void pause(Duration duration) throws InterruptedException {
        long left = duration.toNanos();
        while (!isStopped() && left > 0) {
            left = changed.awaitNanos(left);
        }
    }

    /** What is not sent is not missed: the arbiter repeats offers and open decisions on the next stream. */
    private void send(List<Command> commands) {
        if (stream != null && session.isWelcomed() && !leaving && !commands.isEmpty()) {
            stream.onNext(PlayRequest.newBuilder().addAllCommands(commands).build());
        }
    }

    private void leave(String reason) {
        if (stream != null && !leaving) {
            leaveBy = System.nanoTime();
            if (session.isWelcomed()) {
                leaveBy += LEAVE_TIME.toNanos();
                Leave.Builder leave = Leave.newBuilder().setReason(reason);
                send(List.of(Command.newBuilder().setLeave(leave).build()));
            }
            leaving = true;
        }
        changed.signalAll();
    }

    private final class Reader implements StreamObserver<PlayResponse> {
        private StreamEnd end; // guarded by the lock

        @Override
        public void onNext(PlayResponse message) {
            take(this, message);
        }

        @Override
        public void onError(Throwable error) {
            end(StreamEnd.of(error));
        }

        @Override
        public void onCompleted() {
            end(StreamEnd.ok());
        }

        private void end(StreamEnd how) {
            lock.lock();
            try {
                end = how;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
