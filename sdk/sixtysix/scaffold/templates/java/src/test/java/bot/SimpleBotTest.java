package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static sixtysix.Messages.action;
import static sixtysix.Messages.follow;
import static sixtysix.Messages.lead;
import static sixtysix.Messages.schnapsen;

import org.junit.jupiter.api.Test;
import sixtysix.game.MessageException;
import sixtysix.game.RuleBook;
import sixtysix.game.View;
import sixtysix.v1.BotServiceOuterClass.Decision;

class SimpleBotTest {
    /** Checks the choice, with hearts as trump. Cards are written rank first: TH is the ten of hearts. */
    private static void assertChosen(String expected, Decision.Builder decision) throws MessageException {
        assertEquals(action(expected), SimpleBot.choose(new View(new RuleBook(schnapsen()), decision.build())));
    }

    private static Decision.Builder with(int points) {
        Decision.Builder decision = lead("AC JD", "H", "AC JD claim");
        decision.getObservationBuilder().setOwnCardPoints(points);
        return decision;
    }

    @Test
    void itClaimsWith66AndNotBefore() throws MessageException {
        assertChosen("JD", with(65));
        assertChosen("claim", with(66));
    }

    @Test
    void itDeclaresAMarriage() throws MessageException {
        assertChosen("marriage-C", lead("KC QC JD", "H", "KC QC JD claim marriage-C"));
    }

    @Test
    void itWinsCheaplyOrLosesLittle() throws MessageException {
        assertChosen("KC", follow("QC", "AC KC JD", "H", "AC KC JD"));
        assertChosen("JD", follow("AC", "TC KC JD", "H", "TC KC JD"));
    }
}
