package io.selvedge.client.transport;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One answer as it came over the wire.
 *
 * @param status HTTP status
 * @param headers header fields; names are compared without regard to case
 * @param body the body, empty when there is none; the client closes it
 */
public record TransportResponse(int status, Map<String, List<String>> headers, InputStream body) implements Closeable {

    /** Checks that nothing is missing, and copies the headers. */
    public TransportResponse {
        Objects.requireNonNull(body, "body");
        headers = Map.copyOf(headers);
    }

    /**
     * A ready-made answer for tests: {@code application/json} below status 400, {@code application/problem+json} from
     * there on.
     *
     * @param status HTTP status
     * @param json the body, empty for none
     * @return the answer
     */
    public static TransportResponse json(int status, String json) {
        String type = status < 400 ? "application/json" : "application/problem+json";
        return new TransportResponse(
                status,
                Map.of("content-type", List.of(type)),
                new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * The first value of a header.
     *
     * @param name header name in any case
     * @return its value or nothing
     */
    public Optional<String> header(String name) {
        return headers.entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .flatMap(entry -> entry.getValue().stream())
                .findFirst();
    }

    /** Closes the body, which gives up what has not been read of it. */
    @Override
    public void close() throws IOException {
        body.close();
    }
}
