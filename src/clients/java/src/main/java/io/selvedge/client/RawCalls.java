package io.selvedge.client;

import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Calls of the API that the client has no method for. */
final class RawCalls {

    /** What is issued is never kept for a repetition, so these refuse idempotency keys (N18). */
    private static final Pattern ISSUES_CREDENTIAL = Pattern.compile("/(api-keys(/[^/]+/rotate)?"
            + "|invitations(/accept)?"
            + "|webhooks?"
            + "|auth/(login|password-reset|sso/token)"
            + "|operator/orgs/[^/]+/(api-keys|tokens|password-reset))/?(\\?.*)?");

    private RawCalls() {}

    static <T> CompletableFuture<T> send(Pipeline pipeline, String method, String path, Object body, Class<T> type) {
        Json json = pipeline.settings().json();
        Call call = call(pipeline, method, path);
        return pipeline.send(body == null ? call : call.body(json.body(body)), response -> {
            byte[] answer = response.body().readAllBytes();
            return type == Void.class || answer.length == 0 ? null : json.read(response, answer, Json.type(type));
        });
    }

    private static Call call(Pipeline pipeline, String method, String path) {
        boolean issuesCredential = ISSUES_CREDENTIAL.matcher(path).matches();
        if (method.equals("POST") && issuesCredential && pipeline.idempotencyKey().isPresent()) {
            throw new IllegalArgumentException("a call that issues a credential takes no idempotency key: " + path);
        }
        return Call.raw(method, path, issuesCredential);
    }
}
