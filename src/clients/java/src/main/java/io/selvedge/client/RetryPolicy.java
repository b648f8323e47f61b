package io.selvedge.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a request that failed in passing (429, 502, 503, 504, a broken connection, a timeout) is sent again. Only
 * requests that are safe to repeat are: GET, PUT, DELETE, and POST under an idempotency key that the client makes.
 * Writes with {@code ifMatch} are repeated after 429 only, calls that issue credentials never.
 *
 * <pre>{@code
 * RetryPolicy patient = RetryPolicy.defaults().withMaxRetries(6);
 * SelvedgeClient client = SelvedgeClient.builder()
 *     .baseUrl(url).apiKey(key).orgSlug("demo")
 *     .retryPolicy(patient)
 *     .build();
 * }</pre>
 *
 * @param maxRetries how often a request is sent again after the first time; 0 for never
 * @param firstDelay the wait before the first repetition; each further one doubles it, up to a random half less
 * @param maxDelay the longest wait of our own choosing
 * @param maxRetryAfter the longest {@code Retry-After} that is waited for; a longer one fails the call at once
 */
public record RetryPolicy(int maxRetries, Duration firstDelay, Duration maxDelay, Duration maxRetryAfter) {

    private static final int MAX_DOUBLINGS = 20;

    /** Checks that the numbers make sense. */
    public RetryPolicy {
        if (maxRetries < 0 || maxRetries > 100) {
            throw new IllegalArgumentException("maxRetries must be between 0 and 100");
        }
        if (firstDelay.isNegative() || maxDelay.isNegative() || maxRetryAfter.isNegative()) {
            throw new IllegalArgumentException("delays must not be negative");
        }
    }

    /**
     * Four repetitions, 250 ms to 20 s apart, and at most two minutes when the service asks for a wait.
     *
     * @return the policy that a client has unless told otherwise
     */
    public static RetryPolicy defaults() {
        return new RetryPolicy(4, Duration.ofMillis(250), Duration.ofSeconds(20), Duration.ofMinutes(2));
    }

    /**
     * Every request is sent once.
     *
     * @return a policy without repetitions
     */
    public static RetryPolicy none() {
        return defaults().withMaxRetries(0);
    }

    /**
     * The same policy with another number of repetitions.
     *
     * @param count how often a request is sent again
     * @return a new policy
     */
    public RetryPolicy withMaxRetries(int count) {
        return new RetryPolicy(count, firstDelay, maxDelay, maxRetryAfter);
    }

    /** The wait before repetition {@code retry} (from 0), or nothing when the failure is final. */
    Optional<Duration> delay(int retry, Optional<Duration> retryAfter) {
        if (retry >= maxRetries) {
            return Optional.empty();
        }
        if (retryAfter.isPresent()) {
            // A little later than asked, each caller at a time of its own.
            return retryAfter
                    .filter(asked -> asked.compareTo(maxRetryAfter) <= 0)
                    .map(asked -> asked.plus(random(firstDelay)));
        }
        Duration doubled = firstDelay.multipliedBy(1L << Math.min(retry, MAX_DOUBLINGS));
        Duration full = doubled.compareTo(maxDelay) < 0 ? doubled : maxDelay;
        Duration half = full.dividedBy(2);
        return Optional.of(half.plus(random(half)));
    }

    private static Duration random(Duration upTo) {
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(upTo.toMillis() + 1));
    }
}
