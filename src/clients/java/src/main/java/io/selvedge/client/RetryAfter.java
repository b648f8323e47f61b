package io.selvedge.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The two forms of the {@code Retry-After} header: seconds, or an HTTP date. Anything else counts as absent. */
final class RetryAfter {

    private RetryAfter() {}

    static Optional<Duration> parse(String value, Instant now) {
        String text = value.trim();
        try {
            if (text.matches("\\d{1,9}")) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
            }
            Instant until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(until.isBefore(now) ? Duration.ZERO : Duration.between(now, until));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
