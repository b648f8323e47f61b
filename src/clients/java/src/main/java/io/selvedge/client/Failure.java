package io.selvedge.client;

import io.selvedge.client.transport.TransportRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** What became of an attempt that failed, and whether to try again. */
record Failure(Throwable cause, int status) {

    private static final int NO_ANSWER = 0;
    private static final int OUR_FAULT = -1;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Set<Integer> IN_DOUBT = Set.of(NO_ANSWER, 502, 503, 504);

    static Failure of(Throwable cause) {
        if (cause instanceof ApiException answer) {
            return new Failure(cause, answer.getStatus());
        }
        boolean unanswered = cause instanceof IOException || cause instanceof TimeoutException;
        return new Failure(cause, unanswered ? NO_ANSWER : OUR_FAULT);
    }

    boolean mayRepeat(Call.Repeat repeat) {
        return switch (repeat) {
            case ALWAYS -> status == TOO_MANY_REQUESTS || leavesInDoubt();
            case REFUSED -> status == TOO_MANY_REQUESTS;
            case NEVER -> false;
        };
    }

    /** Whether the call may have been carried out although it seems to have failed. */
    boolean leavesInDoubt() {
        return IN_DOUBT.contains(status);
    }

    /** Whether an attempt without an answer had carried the call out already. */
    boolean findsDone(Call call) {
        return cause instanceof ApiException answer && call.done().test(answer);
    }

    Optional<Duration> retryAfter() {
        return cause instanceof ApiException answer ? answer.getRetryAfter() : Optional.empty();
    }

    Throwable explained(TransportRequest request) {
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return new SelvedgeException("no answer within " + request.timeout().toMillis() + " ms: " + request, cause);
        }
        if (cause instanceof ConnectException) {
            return new SelvedgeException(
                    "cannot connect to " + BaseUrl.origin(request.uri()) + " (" + request
                            + "): is the service running there?",
                    cause);
        }
        if (cause instanceof IOException) {
            return new SelvedgeException("the connection to the service broke: " + request + ": " + cause, cause);
        }
        return cause;
    }
}
