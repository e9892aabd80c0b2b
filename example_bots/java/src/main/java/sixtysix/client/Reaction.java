package sixtysix.client;

import java.util.List;
import sixtysix.v1.BotServiceOuterClass.Command;

/**
 * What follows from a message of the arbiter.
 *
 * @param commands to be sent at once
 * @param questions to be thought about
 * @param notes for the log
 */
record Reaction(List<Command> commands, List<Question> questions, List<String> notes) {}
