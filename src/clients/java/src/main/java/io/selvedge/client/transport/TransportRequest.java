package io.selvedge.client.transport;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One request as it goes over the wire.
 *
 * @param method HTTP method in capitals
 * @param uri absolute address including the query
 * @param headers header fields, credentials included; {@code Content-Type} comes from the body
 * @param content the body, or null
 * @param timeout how long the answer may take
 * @param streamed whether the answer's body may be large and is to be handed over while it arrives; the timeout then
 *     ends with the headers and afterwards limits each pause between bytes
 */
public record TransportRequest(
        String method, URI uri, Map<String, String> headers, RequestBody content, Duration timeout, boolean streamed) {

    /** Checks that nothing but the body is missing, and copies the headers. */
    public TransportRequest {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(timeout, "timeout");
        headers = Map.copyOf(headers);
    }

    /**
     * The body, where there is one.
     *
     * @return the body or nothing
     */
    public Optional<RequestBody> body() {
        return Optional.ofNullable(content);
    }

    /** Leaves the headers out: they hold credentials that must not reach a log. */
    @Override
    public String toString() {
        return method + " " + uri;
    }
}
