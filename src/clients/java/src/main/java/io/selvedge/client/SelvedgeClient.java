package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import com.fasterxml.jackson.core.type.TypeReference;
import io.selvedge.client.model.Me;
import io.selvedge.client.model.Session;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The way to the service. Make one and share it: it is immutable and safe for use by many threads.
 *
 * <pre>{@code
 * String key = System.getenv("API_KEY");
 * SelvedgeClient client = SelvedgeClient.login(key, "demo", "https://data.example.com/api");
 *
 * Map<String, Object> item = client.entities().create("item", Map.of("name", "Shirt"));
 * client.entities().listAll("item", ListQuery.all()).forEach(System.out::println);
 * }</pre>
 *
 * <p>Every call waits for its answer. For several at once, use an executor, or virtual threads from Java 21 on; an
 * interrupt ends the wait and gives the request up.
 */
public final class SelvedgeClient {

    private final Pipeline pipeline;
    private final Pipeline keyed;
    private final Session session;

    SelvedgeClient(Settings settings, Session session) {
        this(new Pipeline(settings), null, session);
    }

    private SelvedgeClient(Pipeline pipeline, String idempotencyKey, Session session) {
        this.pipeline = pipeline;
        this.keyed = idempotencyKey == null ? pipeline : pipeline.withIdempotencyKey(idempotencyKey);
        this.session = session;
    }

    /**
     * A client for an API key, after asking the service whether the key is good.
     *
     * @param apiKey the key, for example {@code app:…}
     * @param orgSlug slug of the organization
     * @param baseUrl base address of the API, for example {@code https://data.example.com/api}
     * @throws ApiException with status 401 when key and organization do not fit
     */
    public static SelvedgeClient login(String apiKey, String orgSlug, String baseUrl) {
        return builder().apiKey(apiKey).orgSlug(orgSlug).baseUrl(baseUrl).login();
    }

    /** Everything that can be set. */
    public static SelvedgeClientBuilder builder() {
        return new SelvedgeClientBuilder();
    }

    /**
     * The same client for one call that creates, starts or requests something, under a key of yours. A repetition with
     * the same key within a day, even by a program that was restarted, is answered with the first answer; another body
     * under it is refused (409). Uploads, and calls that issue credentials, do not take it.
     *
     * <pre>{@code
     * client.withIdempotencyKey("order-7").workflows().request("order|ready", Map.of("orderId", 7));
     * }</pre>
     */
    public SelvedgeClient withIdempotencyKey(String key) {
        return new SelvedgeClient(pipeline, Objects.requireNonNull(key), session);
    }

    /** Entities as maps. */
    public EntityClient<Map<String, Object>> entities() {
        return new EntityClient<>(keyed, Json.mapType());
    }

    /** Entities as objects of a class of yours. */
    public <T> EntityClient<T> entities(Class<T> type) {
        return entities().as(type);
    }

    /** Entities as objects of a generic type of yours. */
    public <T> EntityClient<T> entities(TypeReference<T> type) {
        return entities().as(type);
    }

    /** The record of changes. */
    public ChangeHistoryClient changeHistory() {
        return new ChangeHistoryClient(pipeline);
    }

    /** Uploads and downloads. */
    public FileClient files() {
        return new FileClient(pipeline);
    }

    /** Exports of any size. */
    public ExportClient exports() {
        return new ExportClient(keyed);
    }

    /** Takes loads and changes back. */
    public RevertClient reverts() {
        return new RevertClient(keyed);
    }

    /** Loads of CSV files. */
    public LoadClient loads() {
        return new LoadClient(keyed, files());
    }

    /** Workflow runs. */
    public WorkflowClient workflows() {
        return new WorkflowClient(keyed);
    }

    /** Workflow tasks and their callback. */
    public TaskClient tasks() {
        return new TaskClient(keyed);
    }

    /** API keys. */
    public ApiKeyClient apiKeys() {
        return new ApiKeyClient(pipeline);
    }

    /** The people of the organization. */
    public PeopleClient people() {
        return new PeopleClient(pipeline);
    }

    /** Types and their properties. */
    public TypeClient types() {
        return new TypeClient(keyed);
    }

    /** What assortments can do beyond being entities. */
    public AssortmentClient assortments() {
        return new AssortmentClient(keyed);
    }

    /** The session, when the client was made by signing a user in. */
    public Optional<Session> session() {
        return Optional.ofNullable(session);
    }

    /**
     * How far this client has read and written, to hand over to a later one by {@link SelvedgeClientBuilder#bookmark}.
     * Nothing before the first answer, and after a write of which nobody knows from where on it is seen.
     */
    public Optional<String> bookmark() {
        return pipeline.settings().bookmark().kept();
    }

    /** Who the service takes this client for. */
    public Me me() {
        return await(pipeline.send(Call.get("auth", "me"), Me.class));
    }

    /** Ends the session of a user who signed in; the client cannot be used afterwards. */
    public void logout() {
        await(pipeline.send(Call.postIdempotent("auth", "logout")));
    }

    /**
     * Any other call of the API, with the same timeouts, repetitions and errors. A POST goes out under the key of
     * {@link #withIdempotencyKey}, or one of its own; where it issues a credential it is sent once, without a key.
     *
     * @param method {@code GET}, {@code POST}, {@code PUT} or {@code DELETE}
     * @param path below the base address, encoded, query included: {@code /webhooks?limit=10}
     * @param body what to send as JSON, or null
     * @param type what to read the answer as; {@code Void.class} for nothing
     * @return the answer, null where it has no body
     */
    public <T> T request(String method, String path, Object body, Class<T> type) {
        return await(RawCalls.send(keyed, method, path, body, type));
    }
}
