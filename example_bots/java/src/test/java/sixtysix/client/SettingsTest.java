package sixtysix.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private final Map<String, String> environment =
            new HashMap<>(Map.of("SIXTYSIX_ADDRESS", "127.0.0.1:6600", "SIXTYSIX_TOKEN", "secret"));

    private String problem() {
        return assertThrows(ClientException.class, () -> Settings.from(environment))
                .getMessage();
    }

    @Test
    void addressAndTokenAreEnough() throws ClientException {
        Settings settings = Settings.from(environment);
        assertEquals("127.0.0.1", settings.host());
        assertEquals(6600, settings.port());
        assertEquals("secret", settings.token());
        assertEquals("", settings.name());
        assertInstanceOf(InsecureChannelCredentials.class, settings.credentials());
    }

    @Test
    void theTokenIsNotShown() throws ClientException {
        assertFalse(Settings.from(environment).toString().contains("secret"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIXTYSIX_ADDRESS", "SIXTYSIX_TOKEN"})
    void whatIsMissingIsNamed(String variable) {
        environment.put(variable, "");
        assertEquals("set " + variable, problem());
        environment.remove(variable);
        assertEquals("set " + variable, problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", ":6600", "localhost:", "localhost:0", "localhost:65536", "localhost:66x"})
    void anAddressHasHostAndPort(String address) {
        environment.put("SIXTYSIX_ADDRESS", address);
        assertEquals("SIXTYSIX_ADDRESS must be HOST:PORT, not '" + address + "'", problem());
    }

    @Test
    void anAddressMayBeIpv6() throws ClientException {
        environment.put("SIXTYSIX_ADDRESS", "[::1]:6600");
        assertEquals("[::1]", Settings.from(environment).host());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sec\nret", "ge♥heim"})
    void aTokenIsPrintable(String token) {
        environment.put("SIXTYSIX_TOKEN", token);
        assertEquals("SIXTYSIX_TOKEN must consist of printable ASCII characters", problem());
    }

    @Test
    void anAuthorityMeansTls(@TempDir Path folder) throws ClientException, IOException {
        Path pem = Files.writeString(folder.resolve("ca.pem"), "certificate");
        for (String authority : new String[] {"system", pem.toString()}) {
            environment.put("SIXTYSIX_TLS_CA", authority);
            assertInstanceOf(
                    TlsChannelCredentials.class, Settings.from(environment).credentials());
        }
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        environment.put("SIXTYSIX_TLS_CA", "/no/such/file.pem");
        assertTrue(problem().contains("/no/such/file.pem"));
    }

    @Test
    void aCertificateNeedsItsKeyAndAnAuthority() {
        environment.put("SIXTYSIX_TLS_CERT", "a.pem");
        assertEquals("SIXTYSIX_TLS_CERT and SIXTYSIX_TLS_KEY belong together: set both", problem());
        environment.put("SIXTYSIX_TLS_KEY", "a-key.pem");
        assertTrue(problem().contains("SIXTYSIX_TLS_CA"));
    }
}
