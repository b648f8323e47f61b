package io.selvedge.client;

import com.fasterxml.jackson.databind.JavaType;
import io.selvedge.client.model.Page;
import io.selvedge.client.transport.TransportRequest;
import io.selvedge.client.transport.TransportResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The one way of every call to the service: address and credentials on, sent, repeated where safe, read or raised. */
final class Pipeline {

    private static final String USER_AGENT = "selvedge-java/"
            + Optional.ofNullable(Pipeline.class.getPackage().getImplementationVersion())
                    .orElse("dev");

    private final Settings settings;
    private final String idempotencyKey;

    Pipeline(Settings settings) {
        this(settings, null);
    }

    private Pipeline(Settings settings, String idempotencyKey) {
        this.settings = settings;
        this.idempotencyKey = idempotencyKey;
    }

    /** Sends calls that have a key under this one instead. */
    Pipeline withIdempotencyKey(String key) {
        return new Pipeline(settings, key);
    }

    /** The caller's, not one that a call makes for itself. */
    Optional<String> idempotencyKey() {
        return Optional.ofNullable(idempotencyKey);
    }

    /** Turns a successful answer into a value; an IOException from it counts as a broken connection. */
    @FunctionalInterface
    interface Reader<T> {
        T read(TransportResponse response) throws IOException;
    }

    Settings settings() {
        return settings;
    }

    <T> CompletableFuture<T> send(Call call, Reader<T> reader) {
        return new Exchange<>(settings, call, request(call), reader).start();
    }

    /** Sends and reads one of the service's own shapes. */
    <T> CompletableFuture<T> send(Call call, Class<T> type) {
        return send(call, Json.WIRE, Json.type(type));
    }

    <T> CompletableFuture<T> send(Call call, Json json, JavaType type) {
        return send(call, response -> json.read(response, type));
    }

    /** Sends and reads a page of one of the service's own shapes, filled as far as there is anything (N71). */
    <T> CompletableFuture<Page<T>> page(Call call, ListQuery query, Class<T> type) {
        return Paging.filled(query, part -> page(call.query(part.toQuery()), type));
    }

    /** Sends and reads a page of one of the service's own shapes. */
    <T> CompletableFuture<Page<T>> page(Call call, Class<T> type) {
        return send(call, Json.WIRE, Json.type(Page.class, Json.type(type)));
    }

    /** Sends and reads the elements of a list that comes whole. */
    <T> CompletableFuture<List<T>> results(Call call, Json json, JavaType type) {
        JavaType page = Json.type(Page.class, type);
        return send(call, response -> {
            Page<T> answer = json.read(response, page);
            return answer.results();
        });
    }

    /** Sends what is answered without a body. */
    CompletableFuture<Void> send(Call call) {
        return send(call, response -> null);
    }

    private TransportRequest request(Call call) {
        Map<String, String> headers = new LinkedHashMap<>(settings.credentials());
        headers.put("User-Agent", USER_AGENT);
        headers.put("Accept", "application/json, application/problem+json;q=0.9, */*;q=0.1");
        headers.putAll(call.headers());
        if (idempotencyKey != null) {
            headers.computeIfPresent(Call.IDEMPOTENCY_KEY, (name, made) -> idempotencyKey);
        }
        boolean streamed = call.kind() == Call.Kind.DOWNLOAD;
        Duration timeout = call.kind() == Call.Kind.UPLOAD ? settings.transferTimeout() : settings.requestTimeout();
        URI uri = URI.create(settings.baseUrl() + call.path() + call.query());
        return new TransportRequest(call.method(), uri, headers, call.body(), timeout, streamed);
    }
}
