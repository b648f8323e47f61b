package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.ApiKey;
import io.selvedge.client.model.Page;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The organization's API keys, for users who signed in with email and password. Calls that issue a key are sent once
 * and never repeated by the client.
 *
 * <pre>{@code
 * String key = client.apiKeys().create("nightly sync", "read").key(); // shown this once
 * }</pre>
 */
public final class ApiKeyClient {

    private static final String KEYS = "api-keys";

    private final Pipeline pipeline;

    ApiKeyClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** One page of keys, without the keys themselves. */
    public Page<ApiKey> list(ListQuery query) {
        return await(pipeline.page(Call.get(KEYS), query, ApiKey.class));
    }

    /**
     * Issues a key that acts in the name of the user.
     *
     * @param scope {@code read} or {@code write}
     */
    public ApiKey create(String name, String scope) {
        return create(name, scope, Map.of());
    }

    /**
     * Issues a key with further properties.
     *
     * @param more for example {@code kind} ({@code app} for a key of the organization's) or {@code expiresOn}
     */
    public ApiKey create(String name, String scope, Map<String, ?> more) {
        Map<String, Object> key = new LinkedHashMap<>(more);
        key.put("name", name);
        key.put("scope", scope);
        return await(pipeline.send(Call.postOnce(KEYS).body(Json.WIRE.body(key)), ApiKey.class));
    }

    /**
     * Issues a successor.
     *
     * @param overlap how long the old key goes on working
     */
    public ApiKey rotate(String id, Duration overlap) {
        Map<String, Object> body = Map.of("overlapSeconds", overlap.toSeconds());
        return await(pipeline.send(Call.postOnce(KEYS, id, "rotate").body(Json.WIRE.body(body)), ApiKey.class));
    }

    /** Revokes a key. */
    public void delete(String id) {
        await(pipeline.send(Call.delete(KEYS, id)));
    }
}
