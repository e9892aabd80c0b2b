package sixtysix.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where and as whom to play.
 *
 * @param host of the arbiter
 * @param port of the arbiter
 * @param token says which bot this is
 * @param name what the arbiter calls the bot; may be empty
 * @param credentials how the connection is secured
 */
public record Settings(String host, int port, String token, String name, ChannelCredentials credentials) {
    private static final String ADDRESS = "SIXTYSIX_ADDRESS";
    private static final String TOKEN = "SIXTYSIX_TOKEN";
    private static final String NAME = "SIXTYSIX_BOT_NAME";
    private static final String TLS_CA = "SIXTYSIX_TLS_CA";
    private static final String TLS_CERT = "SIXTYSIX_TLS_CERT";
    private static final String TLS_KEY = "SIXTYSIX_TLS_KEY";

    /** Stands in {@code SIXTYSIX_TLS_CA} for the public authorities. */
    private static final String PUBLIC = "system";

    private static final Pattern PLACE = Pattern.compile("(.+):([0-9]{1,5})");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]+");

    /**
     * Reads the environment.
     *
     * @param environment the variables, usually {@link System#getenv()}
     * @throws ClientException for a variable that is missing or has no valid value
     */
    public static Settings from(Map<String, String> environment) throws ClientException {
        String address = required(environment, ADDRESS);
        Matcher place = PLACE.matcher(address);
        int port = place.matches() ? Integer.parseInt(place.group(2)) : 0;
        if (port < 1 || port > 65_535) {
            throw new ClientException("%s must be HOST:PORT, not '%s'".formatted(ADDRESS, address));
        }
        String token = required(environment, TOKEN);
        if (!PRINTABLE.matcher(token).matches()) {
            throw new ClientException(TOKEN + " must consist of printable ASCII characters");
        }
        return new Settings(place.group(1), port, token, environment.getOrDefault(NAME, ""), credentials(environment));
    }

    /** For messages. */
    String address() {
        return host + ":" + port;
    }

    @Override
    public String toString() {
        return "Settings[" + address() + ", name=" + name + "]"; // without the token, which is secret
    }

    private static String required(Map<String, String> environment, String variable) throws ClientException {
        String value = environment.getOrDefault(variable, "");
        if (value.isEmpty()) {
            throw new ClientException("set " + variable);
        }
        return value;
    }

    private static ChannelCredentials credentials(Map<String, String> environment) throws ClientException {
        String authority = environment.getOrDefault(TLS_CA, "");
        String certificate = environment.getOrDefault(TLS_CERT, "");
        String key = environment.getOrDefault(TLS_KEY, "");
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new ClientException("%s and %s belong together: set both".formatted(TLS_CERT, TLS_KEY));
        }
        if (authority.isEmpty()) {
            if (!certificate.isEmpty()) {
                throw new ClientException(
                        "a certificate is shown to an arbiter that is known: set %s too".formatted(TLS_CA));
            }
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
        try {
            if (!authority.equals(PUBLIC)) {
                tls.trustManager(new File(authority));
            }
            if (!certificate.isEmpty()) {
                tls.keyManager(new File(certificate), new File(key));
            }
        } catch (IOException error) {
            throw new ClientException("a PEM file cannot be read: " + error.getMessage(), error);
        }
        return tls.build();
    }
}
