package io.selvedge.client;

import io.selvedge.client.transport.Transport;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** What a client was built with. */
record Settings(
        URI baseUrl,
        Map<String, String> credentials,
        Transport transport,
        RetryPolicy retryPolicy,
        Duration requestTimeout,
        Duration transferTimeout,
        Json json,
        Bookmark bookmark) {

    Settings with(Map<String, String> otherCredentials, Bookmark otherBookmark) {
        return new Settings(
                baseUrl,
                otherCredentials,
                transport,
                retryPolicy,
                requestTimeout,
                transferTimeout,
                json,
                otherBookmark);
    }
}
