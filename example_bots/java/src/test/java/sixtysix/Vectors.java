package sixtysix;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import sixtysix.game.MessageException;
import sixtysix.game.RuleBook;
import sixtysix.game.View;
import sixtysix.v1.BotServiceOuterClass.Decision;
import sixtysix.v1.Rules.RuleSet;

/** The messages of {@code vectors/messages.jsonl}. */
public final class Vectors {
    private static final List<Vector> ALL = read();

    /**
     * A serialized message.
     *
     * @param json the same in the JSON form of protobuf
     * @param later true if it has something of a later version of the protocol, which the JSON form leaves out
     */
    public record Vector(String title, String type, byte[] bytes, String json, boolean later) {
        boolean is(String name) {
            return type.equals("sixtysix.v1." + name);
        }

        @Override
        public String toString() {
            return type + ": " + title;
        }
    }

    private Vectors() {}

    static Stream<Vector> all() {
        return ALL.stream();
    }

    /** The shipped rule sets. */
    public static Stream<RuleSet> ruleSets() {
        return ALL.stream()
                .filter(vector -> vector.is("RuleSet") && vector.title().startsWith("rule set"))
                .map(vector -> {
                    try {
                        return RuleSet.parseFrom(vector.bytes());
                    } catch (InvalidProtocolBufferException error) {
                        throw new UncheckedIOException(error);
                    }
                });
    }

    /** Decisions out of deals, in each rule set and stage. */
    public static Stream<View> views() {
        return ALL.stream()
                .filter(vector -> vector.is("Decision") && vector.title().startsWith("decision: "))
                .map(vector -> {
                    String rules = vector.title().split("[ ,]+")[1];
                    try {
                        return new View(new RuleBook(ruleSet(rules)), Decision.parseFrom(vector.bytes()));
                    } catch (MessageException | InvalidProtocolBufferException error) {
                        throw new IllegalStateException(vector.toString(), error);
                    }
                });
    }

    private static RuleSet ruleSet(String name) {
        return ruleSets()
                .filter(rules -> rules.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Vector> read() {
        Path file = Path.of(System.getProperty("vectors"), "messages.jsonl");
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .map(Vectors::vector)
                    .toList();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static Vector vector(JsonObject line) {
        return new Vector(
                line.get("title").getAsString(),
                line.get("type").getAsString(),
                HexFormat.of().parseHex(line.get("hex").getAsString()),
                line.get("json").toString(),
                line.has("later") && line.get("later").getAsBoolean());
    }
}
