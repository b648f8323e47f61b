package io.selvedge.client.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HttpTransportTest {

    private static HttpTransport over(HttpClient.Redirect redirect) {
        return new HttpTransport(HttpClient.newBuilder().followRedirects(redirect).build());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NEVER")
    void aClientThatFollowsRedirectsIsRefusedBecauseItWouldCarryTheKey(HttpClient.Redirect redirect) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> over(redirect));

        assertEquals(
                "the HttpClient follows redirects, which would carry the credentials to other hosts:"
                        + " build it with Redirect.NEVER",
                e.getMessage());
    }

    @Test
    void aClientThatDoesNotIsTaken() {
        over(HttpClient.Redirect.NEVER);
    }
}
