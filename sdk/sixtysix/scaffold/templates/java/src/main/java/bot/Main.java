package bot;

import sixtysix.client.Introduction;
import sixtysix.client.Program;

/** Plays in a tournament: connects to the arbiter that the environment names. */
public final class Main {
    /** Name, version, author, and how many matches at the same time, each in a thread of its own. */
    private static final Introduction INTRODUCTION = new Introduction("my_bot", "0.1.0", "", 4);

    private Main() {}

    public static void main(String[] arguments) {
        Program.run(INTRODUCTION, new SimpleBot());
    }
}
