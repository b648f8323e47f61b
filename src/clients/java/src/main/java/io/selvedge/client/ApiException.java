package io.selvedge.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The service answered with an error (RFC 9457 {@code application/problem+json}).
 *
 * <pre>{@code
 * try {
 *     client.entities().get("item", id);
 * } catch (ApiException e) {
 *     if (e.getStatus() == 404) {
 *         return Optional.empty();
 *     }
 *     log.warn("{} {} (request {})", e.getCode(), e.getDetail(), e.getRequestId());
 *     throw e;
 * }
 * }</pre>
 */
public final class ApiException extends SelvedgeException {

    /** The code of an answer that is not a problem document, such as a gateway's error page. */
    public static final String UNKNOWN_CODE = "unknown";

    private static final int MOST_FAULTS = 100;

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String detail;
    private final String requestId;
    private final List<FieldError> errors;
    private final transient Map<String, Object> problem;
    private final Duration retryAfter;

    ApiException(int status, Problem problem, Duration retryAfter) {
        super(message(status, problem));
        this.status = status;
        this.code = problem.code();
        this.detail = problem.detail();
        this.requestId = problem.requestId();
        this.errors = problem.errors();
        this.problem = problem.members();
        this.retryAfter = retryAfter;
    }

    /** Whether the faults name each of so many values, as far as the service tells of them at once. */
    boolean namesAll(int count) {
        int most = Math.min(count, MOST_FAULTS);
        return errors.size() >= most
                && IntStream.range(0, most).allMatch(at -> errors.get(at).path().equals("/" + at));
    }

    /**
     * The HTTP status.
     *
     * @return for example 404
     */
    public int getStatus() {
        return status;
    }

    /**
     * What went wrong, in a form that stays the same and can be compared.
     *
     * @return for example {@code not_found}; {@link #UNKNOWN_CODE} when the answer did not say
     */
    public String getCode() {
        return code;
    }

    /**
     * What went wrong, for people.
     *
     * @return a sentence, empty when the answer has none
     */
    public String getDetail() {
        return detail;
    }

    /**
     * The id under which the service recorded the request; name it when asking for help.
     *
     * @return the id, empty when the answer has none
     */
    public String getRequestId() {
        return requestId;
    }

    /**
     * Every fault in what was sent.
     *
     * @return the faults, empty unless the input was invalid
     */
    public List<FieldError> getErrors() {
        return errors;
    }

    /**
     * How long the service asks to wait before the next try.
     *
     * @return the time, where the answer names one
     */
    public Optional<Duration> getRetryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /**
     * The whole problem document, with what a kind of error tells beyond the common: the {@code outcome} recorded of a
     * task that was called back before.
     *
     * @return its members, empty when the answer was none or the exception was serialized
     */
    public Map<String, Object> getProblem() {
        return problem == null ? Map.of() : problem;
    }

    private static String message(int status, Problem problem) {
        String sentence = problem.detail().isEmpty() ? problem.title() : problem.detail();
        String faults = problem.errors().stream().map(FieldError::toString).collect(Collectors.joining("; "));
        return status + " " + problem.code()
                + (sentence.isEmpty() ? "" : ": " + sentence)
                + (faults.isEmpty() ? "" : " [" + faults + "]")
                + (problem.requestId().isEmpty() ? "" : " (request " + problem.requestId() + ")");
    }
}
