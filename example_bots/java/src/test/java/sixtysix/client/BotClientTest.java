package sixtysix.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sixtysix.Messages.action;
import static sixtysix.Messages.decision;
import static sixtysix.Messages.offer;
import static sixtysix.Messages.response;
import static sixtysix.Messages.schnapsen;
import static sixtysix.Messages.welcome;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sixtysix.v1.BotServiceGrpc;
import sixtysix.v1.BotServiceOuterClass.Command;
import sixtysix.v1.BotServiceOuterClass.Ping;
import sixtysix.v1.BotServiceOuterClass.PlayRequest;
import sixtysix.v1.BotServiceOuterClass.PlayResponse;
import sixtysix.v1.BotServiceOuterClass.Update;

/** The client against an arbiter in the same process, which says what the test makes it say. */
@Timeout(30)
class BotClientTest {
    private static final long PATIENCE_SECONDS = 10;
    private static final Context.Key<String> AUTHORIZATION = Context.key("authorization");

    private final BlockingQueue<ArbiterStream> streams = new LinkedBlockingQueue<>();
    private final CompletableFuture<Ending> ending = new CompletableFuture<>();
    private final String name = InProcessServerBuilder.generateName();
    private Server server;
    private BotClient client;

    /** The arbiter's end of a stream. */
    private static final class ArbiterStream implements StreamObserver<PlayRequest> {
        final String authorization = AUTHORIZATION.get();
        final StreamObserver<PlayResponse> bot;
        final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();

        ArbiterStream(StreamObserver<PlayResponse> bot) {
            this.bot = bot;
        }

        @Override
        public void onNext(PlayRequest request) {
            commands.addAll(request.getCommandsList());
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}

        void send(Update... updates) {
            bot.onNext(response(updates));
        }

        Command next() throws InterruptedException {
            Command command = commands.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertNotNull(command, "no command came");
            return command;
        }
    }

    @BeforeEach
    void listen() throws IOException {
        server = InProcessServerBuilder.forName(name)
                .addService(new BotServiceGrpc.BotServiceImplBase() {
                    @Override
                    public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> bot) {
                        ArbiterStream stream = new ArbiterStream(bot);
                        streams.add(stream);
                        return stream;
                    }
                })
                .intercept(new ServerInterceptor() {
                    @Override
                    public <Q, A> ServerCall.Listener<Q> interceptCall(
                            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        String sent = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
                        return Contexts.interceptCall(
                                Context.current().withValue(AUTHORIZATION, sent), call, headers, next);
                    }
                })
                .build()
                .start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (client != null) {
            client.interrupt();
        }
        server.shutdownNow().awaitTermination();
    }

    private void start(Bot bot) {
        Settings settings = new Settings("test", 1, "secret", "", InsecureChannelCredentials.create());
        client = new BotClient(
                settings,
                new Introduction("tester", "1", "", 1),
                bot,
                () -> InProcessChannelBuilder.forName(name).build(),
                new Backoff(new SplittableRandom(1), Duration.ZERO));
        Thread player = new Thread(() -> {
            try {
                ending.complete(client.run());
            } catch (ClientException | InterruptedException error) {
                ending.completeExceptionally(error);
            }
        });
        player.setDaemon(true);
        player.start();
    }

    private ArbiterStream nextStream() throws InterruptedException {
        ArbiterStream stream = streams.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertNotNull(stream, "the client did not connect");
        return stream;
    }

    /** A stream on which a match is offered and a decision is open. */
    private ArbiterStream begin() throws InterruptedException {
        ArbiterStream stream = nextStream();
        assertTrue(stream.next().hasHello());
        stream.send(welcome("s1", false), offer("m1"));
        assertTrue(stream.next().hasReady());
        stream.send(decision("m1", 1));
        return stream;
    }

    private static Bot first() {
        return question -> question.view().legalActions().get(0);
    }

    private String failure() {
        ExecutionException error =
                assertThrows(ExecutionException.class, () -> ending.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        return assertInstanceOf(ClientException.class, error.getCause()).getMessage();
    }

    private Ending ending() throws Exception {
        return ending.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void itPlaysUntilTheTournamentIsOver() throws Exception {
        start(first());
        ArbiterStream stream = begin();
        assertEquals("Bearer secret", stream.authorization);
        assertEquals(1, stream.next().getAction().getDecisionId());
        stream.bot.onCompleted();
        assertEquals(Ending.OVER, ending());
    }

    @Test
    void pingsAreAnsweredWhileTheBotThinks() throws Exception {
        CountDownLatch thought = new CountDownLatch(1);
        start(question -> {
            awaitUninterrupted(thought);
            return question.view().legalActions().get(0);
        });
        ArbiterStream stream = begin();
        stream.send(Update.newBuilder().setPing(Ping.newBuilder().setNonce(7)).build());
        assertEquals(7, stream.next().getPong().getNonce());
        thought.countDown();
        assertTrue(stream.next().hasAction());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLostConnectionIsResumed() throws Exception {
        start(first());
        ArbiterStream lost = begin();
        Command answer = lost.next();
        lost.bot.onError(Status.UNAVAILABLE.asRuntimeException());
        ArbiterStream stream = nextStream();
        assertEquals("s1", stream.next().getHello().getResumeSessionId());
        stream.send(welcome("s1", true), offer("m1"), decision("m1", 1));
        assertTrue(stream.next().hasReady());
        assertEquals(answer, stream.next());
    }

    @Test
    void aRefusalIsAFailure() throws Exception {
        start(first());
        nextStream().bot.onError(StreamEndTest.error(Code.UNAUTHENTICATED, "TOKEN_UNKNOWN", "sixtysix"));
        assertEquals("test:1 ended the connection: TOKEN_UNKNOWN: text", failure());
    }

    @Test
    void itLeavesWhenItIsInterrupted() throws Exception {
        start(first());
        ArbiterStream stream = begin();
        assertTrue(stream.next().hasAction());
        client.interrupt();
        assertEquals("interrupted", stream.next().getLeave().getReason());
        stream.bot.onCompleted();
        assertEquals(Ending.INTERRUPTED, ending());
    }

    @Test
    void nothingIsSentAfterLeave() throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        start(
                question -> { // one thread thinks, so the second question comes after the answer to the first
                    if (question.matchId().equals("m2")) {
                        answered.countDown();
                    }
                    awaitUninterrupted(left);
                    return question.view().legalActions().get(0);
                });
        ArbiterStream stream = begin();
        stream.send(offer("m2"), decision("m2", 1));
        assertTrue(stream.next().hasReady());
        client.interrupt();
        assertTrue(stream.next().hasLeave());
        left.countDown();
        assertTrue(answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        stream.bot.onCompleted();
        ending();
        assertTrue(stream.commands.isEmpty());
    }

    @Test
    void itEndsAtOnceWhenItIsInterruptedBeforeWelcome() throws Exception {
        start(first());
        assertTrue(nextStream().next().hasHello());
        client.interrupt();
        assertEquals(Ending.INTERRUPTED, ending());
    }

    @Test
    void aBotThatFailsLeaves() throws Exception {
        start(question -> {
            throw new IllegalStateException("no idea");
        });
        ArbiterStream stream = begin();
        String expected = "the bot failed to choose: java.lang.IllegalStateException: no idea";
        assertEquals(expected, stream.next().getLeave().getReason());
        stream.bot.onCompleted();
        assertEquals(expected, failure());
    }

    @Test
    void anActionThatIsNotLegalIsNotSent() throws Exception {
        start(question -> action("9S"));
        ArbiterStream stream = begin();
        assertTrue(stream.next().hasLeave());
        stream.bot.onCompleted();
        assertTrue(failure().endsWith("not a legal action: kind: ACTION_KIND_PLAY card: CARD_SPADES_NINE"));
    }

    @Test
    void itDoesNotPlayByRulesThatItDoesNotKnow() throws Exception {
        start(first());
        ArbiterStream stream = nextStream();
        assertTrue(stream.next().hasHello());
        stream.send(
                welcome("s1", false),
                offer("m1", schnapsen().toBuilder().setBothOverValue(99).build()));
        assertTrue(stream.next().hasLeave());
        stream.bot.onCompleted();
        assertTrue(failure().contains("rules.both_over has the unknown value 99"));
    }
}
