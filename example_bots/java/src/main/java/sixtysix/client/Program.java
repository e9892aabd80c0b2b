package sixtysix.client;

import java.util.logging.Level;
import java.util.logging.Logger;

/** A bot as a program of its own, whose settings are in the environment. */
public final class Program {
    /** Kept, since a logger that nobody holds loses its level. */
    private static final Logger GRPC_LOG = Logger.getLogger("io.grpc");

    private static final int OVER = 0;
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 3;

    private Program() {}

    /**
     * Plays, and ends the program. Exit status: 0 when the tournament is over, 1 on a failure, 3 after SIGINT or SIGTERM.
     * To be called by the main thread, which then has nothing more to do.
     */
    public static void run(Introduction introduction, Bot bot) {
        GRPC_LOG.setLevel(Level.SEVERE); // of lost connections the client tells by itself
        BotClient client;
        try {
            client = new BotClient(Settings.from(System.getenv()), introduction, bot);
        } catch (ClientException error) {
            System.err.println("error: " + error.getMessage());
            System.exit(FAILED);
            return;
        }
        Thread hook = new Thread(leaver(client, Thread.currentThread()), "leaver");
        Runtime.getRuntime().addShutdownHook(hook);
        int status = play(client);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shutdown) {
            return; // the hook runs, waits for this thread, and ends the program
        }
        System.exit(status);
    }

    private static int play(BotClient client) {
        try {
            return client.run() == Ending.OVER ? OVER : INTERRUPTED;
        } catch (ClientException error) {
            System.err.println("error: " + error.getMessage());
            return FAILED;
        } catch (InterruptedException interrupted) {
            return INTERRUPTED;
        } catch (RuntimeException defect) {
            defect.printStackTrace();
            return FAILED;
        }
    }

    /** What is done when a signal shuts the program down. */
    private static Runnable leaver(BotClient client, Thread player) {
        return () -> {
            client.interrupt();
            try {
                player.join();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            System.err.println("interrupted");
            Runtime.getRuntime().halt(INTERRUPTED); // else the status would be that of the signal
        };
    }
}
