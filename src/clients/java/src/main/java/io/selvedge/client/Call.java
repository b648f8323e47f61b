package io.selvedge.client;

import io.selvedge.client.transport.RequestBody;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/** One call of the API before credentials and address are added. Immutable; each step returns a new call. */
record Call(
        String method,
        String path,
        Query query,
        Map<String, String> headers,
        RequestBody body,
        Repeat repeat,
        Kind kind,
        Predicate<ApiException> done) {

    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    static final String BATCH = "batch";
    private static final int NOT_FOUND = 404;

    /** What a call carries, which decides its timeout and how its answer is handed over. */
    enum Kind {
        ORDINARY,
        UPLOAD,
        DOWNLOAD
    }

    /** When a call may be sent again. */
    enum Repeat {
        /** Even when the first one may have been carried out unseen. */
        ALWAYS,
        /** Only after an answer that says that it was not carried out. */
        REFUSED,
        NEVER
    }

    static Call get(String... segments) {
        return of("GET", segments);
    }

    static Call put(String... segments) {
        return of("PUT", segments);
    }

    static Call delete(String... segments) {
        return of("DELETE", segments).done(answer -> answer.getStatus() == NOT_FOUND);
    }

    /**
     * A batch is done as a whole: where only some are not there, an attempt without an answer has deleted none.
     */
    static Call deleteBatch(String entityName, int count) {
        return delete(entityName, BATCH).done(answer -> answer.getStatus() == NOT_FOUND && answer.namesAll(count));
    }

    /**
     * A POST is safe to repeat because of the key made here: the service answers a repetition with the first answer
     * (N18).
     */
    static Call post(String... segments) {
        return of("POST", segments).withKey();
    }

    /** Creates an entity. A webhook's secret address is not kept for a repetition, so it is asked for once. */
    static Call create(String entityName) {
        return entityName.matches("webhooks?") ? postOnce(entityName) : post(entityName);
    }

    /**
     * For calls that issue credentials: they refuse idempotency keys, and a lost answer would leave a key nobody knows.
     */
    static Call postOnce(String... segments) {
        return of("POST", segments).repeat(Repeat.NEVER);
    }

    /** For a PUT whose repetition would be refused because of what the lost first attempt did. */
    static Call putOnce(String... segments) {
        return of("PUT", segments).repeat(Repeat.NEVER);
    }

    /** For a POST that has the same effect however often it arrives, such as a numbered part of an upload. */
    static Call postIdempotent(String... segments) {
        return of("POST", segments);
    }

    /** A call by its whole path; a POST gets a key, or is sent once where it issues a credential. */
    static Call raw(String method, String path, boolean issuesCredential) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path must begin with a slash: " + path);
        }
        Call call = at(method, path);
        if (!method.equals("POST")) {
            return call;
        }
        return issuesCredential ? call.repeat(Repeat.NEVER) : call.withKey();
    }

    private static Call of(String method, String... segments) {
        return at(method, path(segments));
    }

    private static Call at(String method, String path) {
        return new Call(method, path, Query.NONE, Map.of(), null, Repeat.ALWAYS, Kind.ORDINARY, answer -> false);
    }

    private Call withKey() {
        return header(IDEMPOTENCY_KEY, UUID.randomUUID().toString());
    }

    /** A repetition would meet the version that the lost first attempt made, and be refused for it. */
    Call ifMatch(String etag) {
        return header("If-Match", etag).repeat(Repeat.REFUSED);
    }

    Call query(Query parameters) {
        return new Call(method, path, parameters, headers, body, repeat, kind, done);
    }

    Call header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Call(method, path, query, Map.copyOf(more), body, repeat, kind, done);
    }

    Call body(RequestBody content) {
        return new Call(method, path, query, headers, content, repeat, kind, done);
    }

    Call kind(Kind other) {
        return new Call(method, path, query, headers, body, repeat, other, done);
    }

    private Call repeat(Repeat other) {
        return new Call(method, path, query, headers, body, other, kind, done);
    }

    /** Which answer to a repetition says that an attempt without an answer had done it already. */
    private Call done(Predicate<ApiException> other) {
        return new Call(method, path, query, headers, body, repeat, kind, other);
    }

    private static String path(String... segments) {
        StringBuilder path = new StringBuilder();
        for (String segment : segments) {
            // An empty or dot segment would silently address another resource, such as the whole list.
            if (segment == null || segment.isBlank() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("a name or id is missing or cannot be one: '" + segment + "'");
            }
            path.append('/').append(encode(segment));
        }
        return path.toString();
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
