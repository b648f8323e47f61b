package io.selvedge.client;

import io.selvedge.client.transport.TransportRequest;
import io.selvedge.client.transport.TransportResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One call and its repetitions. Whoever completes the future from outside, by cancelling it or by a timeout, gives up
 * the request under way and what is left of its answer.
 */
final class Exchange<T> {

    private final Settings settings;
    private final Call call;
    private final TransportRequest request;
    private final Pipeline.Reader<T> reader;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private volatile CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);
    private volatile InputStream body = InputStream.nullInputStream();
    private volatile int retries;
    private volatile boolean inDoubt;

    Exchange(Settings settings, Call call, TransportRequest request, Pipeline.Reader<T> reader) {
        this.settings = settings;
        this.call = call;
        this.request = request;
        this.reader = reader;
    }

    CompletableFuture<T> start() {
        result.whenComplete((value, failure) -> giveUp());
        attempt();
        return result;
    }

    /** Does nothing where the call has come to its own end. */
    private void giveUp() {
        underWay.cancel(true);
        try {
            body.close();
        } catch (IOException alreadyBroken) {
            // Its reader learns it from its own read.
        }
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        Bookmark.Begun begun = settings.bookmark().begin();
        CompletableFuture<TransportResponse> sent = sent(begun);
        underWay = sent;
        if (result.isDone()) {
            sent.cancel(true);
        }
        sent.whenComplete((response, failure) -> {
                    if (failure == null) {
                        settings.bookmark().answered(begun, call.method(), response);
                    } else {
                        settings.bookmark().unanswered(call.method());
                    }
                })
                .thenApplyAsync(this::read, Threads.SHARED)
                .whenComplete(this::settle);
    }

    private CompletableFuture<TransportResponse> sent(Bookmark.Begun begun) {
        try {
            return settings.transport().send(begun.sent() == null ? request : with(begun.sent()));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private TransportRequest with(String bookmark) {
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.put(Bookmark.HEADER, bookmark);
        return new TransportRequest(
                request.method(), request.uri(), headers, request.content(), request.timeout(), request.streamed());
    }

    private T read(TransportResponse response) {
        body = response.body();
        try (response) {
            if (response.status() < 200 || response.status() > 299) {
                throw raised(response);
            }
            InputStream wanted = new WantedBody(body, result);
            return reader.read(new TransportResponse(response.status(), response.headers(), wanted));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static ApiException raised(TransportResponse response) throws IOException {
        Optional<Duration> wait =
                response.header("Retry-After").flatMap(value -> RetryAfter.parse(value, Instant.now()));
        return new ApiException(response.status(), Problem.read(response), wait.orElse(null));
    }

    private void settle(T value, Throwable raised) {
        if (raised == null) {
            result.complete(value);
            return;
        }
        Failure failure = Failure.of(unwrapped(raised));
        if (inDoubt && failure.findsDone(call)) {
            result.complete(null);
            return;
        }
        Optional<Duration> delay = failure.mayRepeat(call.repeat())
                ? settings.retryPolicy().delay(retries, failure.retryAfter())
                : Optional.empty();
        if (delay.isEmpty()) {
            result.completeExceptionally(failure.explained(request));
            return;
        }
        inDoubt |= failure.leavesInDoubt();
        retries++;
        Threads.after(delay.get()).execute(this::attempt);
    }

    private static Throwable unwrapped(Throwable raised) {
        Throwable failure = raised;
        while ((failure instanceof CompletionException || failure instanceof UncheckedIOException)
                && failure.getCause() != null) {
            failure = failure.getCause();
        }
        return failure;
    }
}
