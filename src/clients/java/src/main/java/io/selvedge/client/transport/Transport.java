package io.selvedge.client.transport;

import java.util.concurrent.CompletableFuture;

/**
 * Carries one request to the service and brings back its answer, whatever the status. Retries, credentials and errors
 * are not its business: the client adds them above it.
 *
 * <p>A test that needs no network answers by itself:
 *
 * <pre>{@code
 * Transport canned = request -> CompletableFuture.completedFuture(
 *     TransportResponse.json(200, "{\"id\":\"i1\",\"name\":\"Shirt\"}"));
 *
 * SelvedgeClient client = SelvedgeClient.builder()
 *     .baseUrl("https://data.example.com/api")
 *     .apiKey("app:test").orgSlug("demo")
 *     .transport(canned)
 *     .build();
 *
 * client.entities().get("item", "i1").get("name"); // "Shirt"
 * }</pre>
 *
 * <p>Implementations must be safe for use by many threads at once.
 */
@FunctionalInterface
public interface Transport {

    /**
     * Sends the request once.
     *
     * @param request what to send
     * @return the answer; fails with an {@link java.io.IOException} when the connection breaks and with a
     *     {@link java.net.http.HttpTimeoutException} when the request's timeout passes. Cancelling it gives the
     *     request up.
     */
    CompletableFuture<TransportResponse> send(TransportRequest request);
}
