package sixtysix.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sixtysix.Messages.decision;
import static sixtysix.Messages.offer;
import static sixtysix.Messages.response;
import static sixtysix.Messages.schnapsen;
import static sixtysix.Messages.welcome;

import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sixtysix.game.MessageException;
import sixtysix.v1.BotServiceOuterClass.ActionResult;
import sixtysix.v1.BotServiceOuterClass.ActionStatus;
import sixtysix.v1.BotServiceOuterClass.Command;
import sixtysix.v1.BotServiceOuterClass.DealEnded;
import sixtysix.v1.BotServiceOuterClass.Draining;
import sixtysix.v1.BotServiceOuterClass.Hello;
import sixtysix.v1.BotServiceOuterClass.MatchEnded;
import sixtysix.v1.BotServiceOuterClass.Ping;
import sixtysix.v1.BotServiceOuterClass.Update;

class SessionTest {
    private final Session session =
            new Session(Hello.newBuilder().setBotName("tester").build());

    @BeforeEach
    void begin() throws MessageException {
        begin("s1", false);
    }

    private void begin(String sessionId, boolean resumed) throws MessageException {
        session.open();
        take(welcome(sessionId, resumed));
        take(offer("m1"));
    }

    private Reaction take(Update... updates) throws MessageException {
        return session.take(response(updates), 0);
    }

    private Question ask(long decisionId) throws MessageException {
        List<Question> questions = take(decision("m1", decisionId)).questions();
        assertEquals(1, questions.size());
        return questions.get(0);
    }

    private Optional<Command> answer(Question question) {
        return session.answer(question, question.view().legalActions().get(0));
    }

    @Test
    void helloNamesTheSessionToResume() {
        Session fresh = new Session(Hello.newBuilder().setBotName("tester").build());
        assertEquals("", fresh.open().getHello().getResumeSessionId());
        assertEquals("s1", session.open().getHello().getResumeSessionId());
        assertEquals("tester", session.open().getHello().getBotName());
    }

    @Test
    void aStreamIsWelcomedOnce() {
        assertTrue(session.isWelcomed());
        session.open();
        assertFalse(session.isWelcomed());
    }

    @Test
    void pingsAndOffersAreAnsweredAtOnceAndInOrder() throws MessageException {
        Update ping =
                Update.newBuilder().setPing(Ping.newBuilder().setNonce(-7)).build();
        List<Command> commands = take(ping, offer("m2"), offer("m2")).commands();
        assertEquals(3, commands.size());
        assertEquals(-7, commands.get(0).getPong().getNonce());
        assertEquals("m2", commands.get(1).getReady().getMatchId());
        assertEquals("m2", commands.get(2).getReady().getMatchId());
    }

    @Test
    void aDecisionIsAnsweredOnce() throws MessageException {
        Question question = ask(1);
        Command command = answer(question).orElseThrow();
        assertEquals("m1", command.getAction().getMatchId());
        assertEquals(1, command.getAction().getDecisionId());
        assertEquals(question.view().legalActions().get(0), command.getAction().getAction());
        assertTrue(answer(question).isEmpty());
    }

    @Test
    void matchesAreIndependent() throws MessageException {
        take(offer("m2"));
        Question first = ask(1);
        Question second = take(decision("m2", 1)).questions().get(0);
        assertEquals("m2", answer(second).orElseThrow().getAction().getMatchId());
        assertEquals("m1", answer(first).orElseThrow().getAction().getMatchId());
    }

    @Test
    void thinkingGoesOnAcrossAReconnect() throws MessageException {
        Question question = ask(1);
        begin("s1", true);
        assertTrue(take(decision("m1", 1)).questions().isEmpty());
        assertFalse(question.isClosed());
        assertTrue(answer(question).isPresent());
    }

    @Test
    void aLostAnswerIsSentAgain() throws MessageException {
        Command command = answer(ask(1)).orElseThrow();
        begin("s1", true);
        Reaction reaction = take(decision("m1", 1));
        assertEquals(List.of(command), reaction.commands());
        assertTrue(reaction.questions().isEmpty());
    }

    @Test
    void matchesOfASessionThatIsOverAreForgotten() throws MessageException {
        Question question = ask(1);
        begin("s2", false);
        assertTrue(question.isClosed());
        assertTrue(answer(question).isEmpty());
        assertEquals(1, ask(1).decisionId()); // the same id in a new match is a new decision
    }

    @Test
    void theNextDecisionClosesTheOneBefore() throws MessageException {
        Question question = ask(1);
        ask(2);
        assertTrue(question.isClosed());
        assertTrue(answer(question).isEmpty());
    }

    @Test
    void endsCloseTheOpenDecision() throws MessageException {
        Update deal = Update.newBuilder()
                .setDealEnded(DealEnded.newBuilder().setMatchId("m1"))
                .build();
        Update match = Update.newBuilder()
                .setMatchEnded(MatchEnded.newBuilder().setMatchId("m1"))
                .build();
        for (Update end : List.of(deal, match)) {
            Question question = ask(1);
            take(end);
            assertTrue(question.isClosed());
            assertTrue(answer(question).isEmpty());
        }
        assertThrows(MessageException.class, () -> take(decision("m1", 3)));
    }

    private Update result(ActionStatus status, long decisionId) {
        ActionResult.Builder result = ActionResult.newBuilder()
                .setMatchId("m1")
                .setDecisionId(decisionId)
                .setStatus(status);
        return Update.newBuilder().setActionResult(result).build();
    }

    @Test
    void aDecisionWhoseTimeRanOutIsClosedAndTold() throws MessageException {
        Question question = ask(2);
        take(result(ActionStatus.ACTION_STATUS_TOO_LATE, 1));
        assertFalse(question.isClosed());
        Reaction reaction = take(result(ActionStatus.ACTION_STATUS_TOO_LATE, 2));
        assertTrue(question.isClosed());
        assertTrue(reaction.notes().get(0).contains("decision 2: ACTION_STATUS_TOO_LATE"));
    }

    @ParameterizedTest
    @EnumSource(
            value = ActionStatus.class,
            names = {"ACTION_STATUS_TOO_LATE", "ACTION_STATUS_ILLEGAL", "ACTION_STATUS_MALFORMED"},
            mode = EnumSource.Mode.EXCLUDE)
    void harmlessResultsLeadToNothing(ActionStatus status) throws MessageException {
        Question question = ask(1);
        int number = status == ActionStatus.UNRECOGNIZED ? 99 : status.getNumber();
        Update.Builder update = Update.newBuilder();
        update.getActionResultBuilder().setMatchId("m1").setDecisionId(1).setStatusValue(number);
        assertEquals(new Reaction(List.of(), List.of(), List.of()), take(update.build()));
        assertTrue(answer(question).isPresent());
    }

    @Test
    void drainingIsToldAndMatchesGoOn() throws MessageException {
        Question question = ask(1);
        Update draining =
                Update.newBuilder().setDraining(Draining.getDefaultInstance()).build();
        assertEquals(1, take(draining).notes().size());
        assertTrue(answer(question).isPresent());
    }

    @Test
    void whatIsUnknownIsIgnored() throws MessageException {
        UnknownFieldSet.Field later =
                UnknownFieldSet.Field.newBuilder().addVarint(1).build();
        UnknownFieldSet fields =
                UnknownFieldSet.newBuilder().addField(100, later).build();
        Reaction nothing = new Reaction(List.of(), List.of(), List.of());
        assertEquals(nothing, take(Update.getDefaultInstance()));
        assertEquals(nothing, take(Update.newBuilder().setUnknownFields(fields).build()));

        Update.Builder strange = decision("m1", 1).toBuilder().setUnknownFields(fields);
        strange.getDecisionBuilder().addLegalActionsBuilder().setKindValue(99);
        strange.getDecisionBuilder()
                .getObservationBuilder()
                .setUnknownFields(fields)
                .addHistoryBuilder()
                .setKindValue(99);
        Question question = take(strange.build()).questions().get(0);
        int sent = strange.getDecisionBuilder().getLegalActionsCount();
        assertEquals(sent - 1, question.view().legalActions().size());
    }

    @Test
    void rulesThatAreUnknownAreRefused() {
        Update strange =
                offer("m2", schnapsen().toBuilder().setOpenDutyValue(99).build());
        MessageException error = assertThrows(MessageException.class, () -> take(strange));
        assertEquals("rules.open_duty has the unknown value 99", error.getMessage());
    }

    @Test
    void aDecisionOfNoMatchIsRefused() {
        assertThrows(MessageException.class, () -> take(decision("m9", 1)));
    }
}
