package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.selvedge.client.model.Me;
import io.selvedge.client.model.Session;
import io.selvedge.client.transport.HttpTransport;
import io.selvedge.client.transport.Transport;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Settings of a client. A builder may be used again; clients made before do not change.
 *
 * <pre>{@code
 * SelvedgeClient client = SelvedgeClient.builder()
 *     .baseUrl("https://data.example.com/api")
 *     .orgSlug("demo")
 *     .requestTimeout(Duration.ofSeconds(10))
 *     .login("ada@example.com", password);
 * }</pre>
 */
public final class SelvedgeClientBuilder {

    private String baseUrl;
    private String orgSlug;
    private String apiKey;
    private String accessToken;
    private Transport transport;
    private ObjectMapper mapper;
    private RetryPolicy retryPolicy = RetryPolicy.defaults();
    private String bookmark;
    private Duration connectTimeout = Duration.ofSeconds(10);
    private Duration requestTimeout = Duration.ofSeconds(30);
    private Duration transferTimeout = Duration.ofMinutes(10);

    SelvedgeClientBuilder() {}

    /** Base address of the API, for example {@code https://data.example.com/api}; required. */
    public SelvedgeClientBuilder baseUrl(String url) {
        baseUrl = url;
        return this;
    }

    /** Slug of the organization; required with an API key, optional with an access token. */
    public SelvedgeClientBuilder orgSlug(String slug) {
        orgSlug = slug;
        return this;
    }

    /** Authenticates with an API key. */
    public SelvedgeClientBuilder apiKey(String key) {
        apiKey = key;
        return this;
    }

    /** Authenticates with an access token: the operator's, or the callback token of a task. */
    public SelvedgeClientBuilder accessToken(String token) {
        accessToken = token;
        return this;
    }

    /**
     * For a system that an async task has called: takes the {@code callbackUrl} and {@code callbackToken} that it was
     * handed. Such a client can call that one task back and nothing else.
     */
    public SelvedgeClientBuilder callback(String callbackUrl, String callbackToken) {
        int end = callbackUrl.lastIndexOf("/external-events/callback");
        if (end < 0) {
            throw new IllegalArgumentException("callbackUrl does not lead to a callback: " + callbackUrl);
        }
        return baseUrl(callbackUrl.substring(0, end)).accessToken(callbackToken);
    }

    /** Replaces the network, for tests or for an HTTP library of your own. */
    public SelvedgeClientBuilder transport(Transport port) {
        transport = port;
        return this;
    }

    /**
     * Reads and writes your own classes; copied. The client's own mapper passes over unknown properties, knows
     * {@link java.time.Instant} and {@link java.time.LocalDate} and does not send null fields.
     */
    public SelvedgeClientBuilder objectMapper(ObjectMapper own) {
        mapper = own.copy();
        return this;
    }

    /** When failed requests are sent again. */
    public SelvedgeClientBuilder retryPolicy(RetryPolicy policy) {
        retryPolicy = Objects.requireNonNull(policy);
        return this;
    }

    /**
     * How far an earlier client has read and written, as its {@link SelvedgeClient#bookmark()} told: what it wrote is seen
     * by this one, and read nearby. Null for none.
     */
    public SelvedgeClientBuilder bookmark(String reached) {
        bookmark = reached;
        return this;
    }

    /** How long connecting may take; 10 seconds unless told otherwise. Not used with a transport of your own. */
    public SelvedgeClientBuilder connectTimeout(Duration time) {
        connectTimeout = positive(time);
        return this;
    }

    /**
     * How long each attempt of a request may take, and each pause within a download; 30 seconds unless told otherwise.
     */
    public SelvedgeClientBuilder requestTimeout(Duration time) {
        requestTimeout = positive(time);
        return this;
    }

    /** How long each attempt of an upload may take; 10 minutes unless told otherwise. */
    public SelvedgeClientBuilder transferTimeout(Duration time) {
        transferTimeout = positive(time);
        return this;
    }

    /** A client, without asking the service anything. */
    public SelvedgeClient build() {
        return new SelvedgeClient(settings(Credentials.of(apiKey, accessToken, orgSlug)), null);
    }

    /**
     * A client, after asking the service whether the credentials are good.
     *
     * @throws ApiException with status 401 when they are not
     * @throws SelvedgeException when something else than the API answers at the base address
     */
    public SelvedgeClient login() {
        Settings settings = settings(Credentials.of(apiKey, accessToken, orgSlug));
        SelvedgeClient client = new SelvedgeClient(settings, null);
        return await(new Pipeline(settings).send(Call.get("auth", "me"), response -> {
            Json.WIRE.read(response, Json.type(Me.class));
            return client;
        }));
    }

    /**
     * A client for a user of the organization {@link #orgSlug}. It works until its session ends.
     *
     * @throws ApiException with status 401 when email, password and organization do not fit
     */
    public SelvedgeClient login(String email, String password) {
        String org = Credentials.slug(orgSlug);
        return await(
                signIn(Call.postOnce("auth", "login"), Map.of("email", email, "password", password, "orgSlug", org)));
    }

    /**
     * The address to send a browser to for single sign-on. It ends at {@code redirectUri} with {@code code} and
     * {@code state}; {@link #loginWithCode} takes the code.
     *
     * @param redirectUri a page of the service, or {@code http://127.0.0.1:<port>/…} of yours
     * @param state comes back with the code; compare it
     * @param codeChallenge SHA-256 of the code verifier, in base64url without padding
     */
    public URI ssoAddress(String redirectUri, String state, String codeChallenge) {
        Query query = Query.of("orgSlug", Credentials.slug(orgSlug))
                .and("redirectUri", redirectUri)
                .and("state", state)
                .and("codeChallenge", codeChallenge);
        return URI.create(BaseUrl.of(baseUrl) + "/auth/sso/start" + query);
    }

    /**
     * A client for a user who came back from single sign-on. It works until its session ends.
     *
     * @param codeVerifier 43 to 128 random letters, digits and {@code -._~}, whose challenge the address carried
     * @throws ApiException with status 401 when code and verifier do not fit
     */
    public SelvedgeClient loginWithCode(String code, String codeVerifier) {
        return await(signIn(Call.postOnce("auth", "sso", "token"), Map.of("code", code, "codeVerifier", codeVerifier)));
    }

    /** The calls of whoever owns the deployment; needs nothing but {@link #baseUrl}. */
    public OperatorClient operator(String operatorKey) {
        return new OperatorClient(new Pipeline(settings(Credentials.operator(operatorKey))));
    }

    private CompletableFuture<SelvedgeClient> signIn(Call call, Map<String, String> proof) {
        Settings anonymous = settings(Map.of());
        return new Pipeline(anonymous).send(call.body(Json.WIRE.body(proof)), response -> {
            Session session = Json.WIRE.read(response, Json.type(Session.class));
            Map<String, String> credentials = Credentials.of(null, session.accessToken(), orgSlug);
            return new SelvedgeClient(anonymous.with(credentials, new Bookmark(bookmark)), session);
        });
    }

    private Settings settings(Map<String, String> credentials) {
        return new Settings(
                BaseUrl.of(baseUrl),
                credentials,
                transport == null ? new HttpTransport(connectTimeout) : transport,
                retryPolicy,
                requestTimeout,
                transferTimeout,
                mapper == null ? Json.WIRE : new Json(mapper),
                new Bookmark(bookmark));
    }

    private static Duration positive(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a timeout must be longer than nothing");
        }
        return time;
    }
}
