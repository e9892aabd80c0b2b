/**
 * The way to the arbiter: connects, says hello, answers pings while the bot thinks, resumes after a lost connection.
 *
 * <p>Implement {@link sixtysix.client.Bot} and pass it to {@link sixtysix.client.Program#run}.
 */
package sixtysix.client;
