package sixtysix.bot;

import sixtysix.client.Introduction;
import sixtysix.client.Program;

/** Plays in a tournament: connects to the arbiter that {@code SIXTYSIX_ADDRESS} names. */
public final class Main {
    private static final Introduction INTRODUCTION = new Introduction("java", "1.0.0", "", 16);

    private static final int WRONG_ARGUMENTS = 2;

    private Main() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            System.err.println("usage: java -jar sixtysix-java-bot.jar (the settings are in the environment)");
            System.exit(WRONG_ARGUMENTS);
        }
        Program.run(INTRODUCTION, new GreedyBot());
    }
}
