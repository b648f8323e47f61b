package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void waitsDoubleAndAreRandomByHalf() {
        RetryPolicy policy =
                new RetryPolicy(10, Duration.ofMillis(100), Duration.ofMillis(1000), Duration.ofMinutes(1));
        long[] full = {100, 200, 400, 800, 1000, 1000};
        for (int retry = 0; retry < full.length; retry++) {
            for (int i = 0; i < 50; i++) {
                long wait = policy.delay(retry, Optional.empty()).orElseThrow().toMillis();
                assertTrue(wait >= full[retry] / 2 && wait <= full[retry], "retry " + retry + " waits " + wait);
            }
        }
    }

    @Test
    void retryAfterIsNeverUndercut() {
        RetryPolicy policy = RetryPolicy.defaults();
        Duration wait = policy.delay(0, Optional.of(Duration.ofSeconds(7))).orElseThrow();

        assertTrue(wait.compareTo(Duration.ofSeconds(7)) >= 0 && wait.compareTo(Duration.ofSeconds(8)) < 0);
        assertEquals(Optional.empty(), policy.delay(0, Optional.of(Duration.ofMinutes(3))));
    }

    @Test
    void repetitionsAreCounted() {
        RetryPolicy policy = RetryPolicy.defaults().withMaxRetries(2);

        assertTrue(policy.delay(1, Optional.empty()).isPresent());
        assertEquals(Optional.empty(), policy.delay(2, Optional.empty()));
        assertThrows(IllegalArgumentException.class, () -> policy.withMaxRetries(-1));
    }

    @Test
    void retryAfterIsSecondsOrADate() {
        assertEquals(Optional.of(Duration.ofSeconds(120)), RetryAfter.parse(" 120 ", NOW));
        assertEquals(Optional.of(Duration.ofSeconds(30)), RetryAfter.parse("Thu, 01 Jan 2026 00:00:30 GMT", NOW));
        assertEquals(Optional.of(Duration.ZERO), RetryAfter.parse("Wed, 31 Dec 2025 00:00:00 GMT", NOW));
        assertEquals(Optional.empty(), RetryAfter.parse("soon", NOW));
        assertEquals(Optional.empty(), RetryAfter.parse("-1", NOW));
        assertEquals(Optional.empty(), RetryAfter.parse("99999999999999999999", NOW));
    }
}
