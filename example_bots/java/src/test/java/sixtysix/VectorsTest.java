package sixtysix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.ErrorInfo;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import sixtysix.game.View;
import sixtysix.v1.BotServiceOuterClass;
import sixtysix.v1.Cards.Card;
import sixtysix.v1.Deal;
import sixtysix.v1.Rules;
import sixtysix.v1.Rules.RuleSet;
import sixtysix.v1.StatusOuterClass;
import sixtysix.v1.TournamentServiceOuterClass;

/** The published messages, read and written with the stubs. */
class VectorsTest {
    private static final List<FileDescriptor> FILES = List.of(
            BotServiceOuterClass.getDescriptor(),
            Deal.getDescriptor(),
            Rules.getDescriptor(),
            StatusOuterClass.getDescriptor(),
            TournamentServiceOuterClass.getDescriptor());

    private static final JsonFormat.TypeRegistry DETAILS =
            JsonFormat.TypeRegistry.newBuilder().add(ErrorInfo.getDescriptor()).build();

    static Stream<Vectors.Vector> vectors() {
        return Vectors.all();
    }

    static Stream<RuleSet> ruleSets() {
        return Vectors.ruleSets();
    }

    static Stream<View> views() {
        return Vectors.views();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void theBytesAreTheJsonForm(Vectors.Vector vector) throws InvalidProtocolBufferException {
        Descriptor type = FILES.stream()
                .map(file -> file.findMessageTypeByName(vector.type().replace("sixtysix.v1.", "")))
                .filter(found -> found != null)
                .findFirst()
                .orElseThrow();
        Parser<DynamicMessage> parser = DynamicMessage.getDefaultInstance(type).getParserForType();
        DynamicMessage read = DiscardUnknownFieldsParser.wrap(parser).parseFrom(vector.bytes());
        DynamicMessage.Builder expected = DynamicMessage.newBuilder(type);
        JsonFormat.parser().usingTypeRegistry(DETAILS).merge(vector.json(), expected);
        assertEquals(expected.build(), read);
        if (!vector.later()) {
            assertArrayEquals(vector.bytes(), read.toByteArray());
        }
    }

    @Test
    void allRuleSetsAndStagesAreThere() {
        assertTrue(ruleSets().count() >= 7);
        assertEquals(5, views().map(View::stage).distinct().count());
    }

    @ParameterizedTest
    @MethodSource("views")
    void whatIsHiddenFillsTheOtherHandAndTheTalon(View view) {
        int others = view.hand().size();
        if (view.led().isPresent()) {
            others -= 1;
        }
        long hidden = view.hidden().size() - view.observation().getTalonCount();
        assertEquals(others, hidden);
        assertTrue(view.hidden().containsAll(view.observation().getOpponentKnownCardsList()));
        assertTrue(view.observation().getTurnUp() == Card.CARD_UNSPECIFIED
                || !view.hidden().contains(view.observation().getTurnUp()));
    }
}
