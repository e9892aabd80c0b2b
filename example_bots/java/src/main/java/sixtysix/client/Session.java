package sixtysix.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import sixtysix.game.MessageException;
import sixtysix.game.RuleBook;
import sixtysix.game.View;
import sixtysix.v1.BotServiceOuterClass.ActionCommand;
import sixtysix.v1.BotServiceOuterClass.ActionResult;
import sixtysix.v1.BotServiceOuterClass.Command;
import sixtysix.v1.BotServiceOuterClass.Decision;
import sixtysix.v1.BotServiceOuterClass.Hello;
import sixtysix.v1.BotServiceOuterClass.MatchOffered;
import sixtysix.v1.BotServiceOuterClass.PlayResponse;
import sixtysix.v1.BotServiceOuterClass.Pong;
import sixtysix.v1.BotServiceOuterClass.Ready;
import sixtysix.v1.BotServiceOuterClass.Update;
import sixtysix.v1.BotServiceOuterClass.Welcome;
import sixtysix.v1.Deal.Action;

/**
 * All matches of a bot, as the protocol has them: from updates to commands, over as many streams as it takes, without
 * input or output. Not safe for use by several threads at once.
 */
final class Session {
    private final Hello hello;
    private final Map<String, Match> matches = new HashMap<>();
    private String id = "";
    private boolean welcomed;

    /** A session of a bot that introduces itself with {@code hello}. */
    Session(Hello hello) {
        this.hello = hello;
    }

    /** Begins a stream: its first command. */
    Command open() {
        welcomed = false;
        return Command.newBuilder()
                .setHello(hello.toBuilder().setResumeSessionId(id))
                .build();
    }

    /** Has the stream that began last been welcomed? Before that it takes no answers. */
    boolean isWelcomed() {
        return welcomed;
    }

    /** Follows a message that came at {@code arrivedNanos}. */
    Reaction take(PlayResponse message, long arrivedNanos) throws MessageException {
        Reaction reaction = new Reaction(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (Update update : message.getUpdatesList()) {
            take(update, arrivedNanos, reaction);
        }
        return reaction;
    }

    /** The command that answers a question, unless no answer is wanted any more. */
    Optional<Command> answer(Question question, Action action) {
        Match match = matches.get(question.matchId());
        if (match == null || match.open != question) {
            return Optional.empty();
        }
        ActionCommand.Builder answer = ActionCommand.newBuilder()
                .setMatchId(question.matchId())
                .setDecisionId(question.decisionId())
                .setAction(action);
        match.open = null;
        match.answer = Command.newBuilder().setAction(answer).build();
        return Optional.of(match.answer);
    }

    private void take(Update update, long arrivedNanos, Reaction reaction) throws MessageException {
        switch (update.getUpdateCase()) {
            case WELCOME -> welcome(update.getWelcome(), reaction);
            case MATCH_OFFERED -> offer(update.getMatchOffered(), reaction);
            case DECISION -> decision(update.getDecision(), arrivedNanos, reaction);
            case ACTION_RESULT -> result(update.getActionResult(), reaction);
            case DEAL_ENDED -> close(update.getDealEnded().getMatchId());
            case MATCH_ENDED -> {
                close(update.getMatchEnded().getMatchId());
                matches.remove(update.getMatchEnded().getMatchId());
            }
            case PING -> {
                Pong.Builder pong = Pong.newBuilder().setNonce(update.getPing().getNonce());
                reaction.commands().add(Command.newBuilder().setPong(pong).build());
            }
            case DRAINING -> reaction.notes().add("the arbiter shuts down; matches that run go on");
            case ERROR ->
                reaction.notes()
                        .add("a command was dropped: " + update.getError().getMessage());
            // The first two repeat what observations hold; what is not set comes from a later version.
            case DEAL_STARTED, EVENT, UPDATE_NOT_SET -> {}
        }
    }

    private void welcome(Welcome welcome, Reaction reaction) {
        welcomed = true;
        id = welcome.getSessionId();
        if (!welcome.getResumed()) {
            List.copyOf(matches.keySet()).forEach(this::close);
            matches.clear();
        }
        reaction.notes().add("connected as " + welcome.getBotName());
    }

    private void offer(MatchOffered offer, Reaction reaction) throws MessageException {
        String matchId = offer.getMatchId();
        if (!matches.containsKey(matchId)) {
            matches.put(matchId, new Match(new RuleBook(offer.getRules())));
        }
        Ready.Builder ready = Ready.newBuilder().setMatchId(matchId);
        reaction.commands().add(Command.newBuilder().setReady(ready).build());
    }

    private void decision(Decision decision, long arrivedNanos, Reaction reaction) throws MessageException {
        Match match = matches.get(decision.getMatchId());
        if (match == null) {
            throw new MessageException("a decision of match " + decision.getMatchId() + ", which was not offered");
        }
        if (match.answers(decision)) { // sent again after a lost connection: so is the answer
            reaction.commands().add(match.answer);
            return;
        }
        if (match.open != null && match.open.decisionId() == decision.getDecisionId()) {
            return; // being thought about
        }
        close(decision.getMatchId());
        match.open = new Question(new View(match.rules, decision), arrivedNanos);
        reaction.questions().add(match.open);
    }

    private void result(ActionResult result, Reaction reaction) {
        switch (result.getStatus()) {
            case ACTION_STATUS_TOO_LATE, ACTION_STATUS_ILLEGAL, ACTION_STATUS_MALFORMED -> {
                closeIfOpen(result.getMatchId(), result.getDecisionId());
                reaction.notes()
                        .add("match %s, decision %s: %s %s %s"
                                .formatted(
                                        result.getMatchId(),
                                        Long.toUnsignedString(result.getDecisionId()),
                                        result.getStatus(),
                                        result.getMessage(),
                                        result.getConsequence()));
            }
            default -> {} // no fault
        }
    }

    /** Nothing is asked in this match any more. */
    private void close(String matchId) {
        Match match = matches.get(matchId);
        if (match != null && match.open != null) {
            match.open.close();
            match.open = null;
        }
    }

    private void closeIfOpen(String matchId, long decisionId) {
        Match match = matches.get(matchId);
        if (match != null && match.open != null && match.open.decisionId() == decisionId) {
            close(matchId);
        }
    }

    private static final class Match {
        final RuleBook rules;
        Question open;
        Command answer;

        Match(RuleBook rules) {
            this.rules = rules;
        }

        /** Is the last answer the one to this decision? */
        boolean answers(Decision decision) {
            return answer != null && answer.getAction().getDecisionId() == decision.getDecisionId();
        }
    }
}
