package io.selvedge.client.model;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;

/**
 * One page of a list.
 *
 * @param results the entities of this page
 * @param nextPageKey what to pass to get the next page, null at the end
 * @param isPartial whether the service stopped looking before the page was full
 */
// Read with the user's mapper, whose naming and strictness are for the user's classes only.
@JsonIgnoreProperties(ignoreUnknown = true)
public record Page<T>(
        @JsonProperty("results") List<T> results,
        @JsonProperty("nextPageKey") String nextPageKey,
        @JsonProperty("isPartial") boolean isPartial) {

    /** Reads an absent list as an empty one. */
    public Page {
        results = Lists.orEmpty(results);
    }

    /** A page that is full, or the last one. */
    public Page(List<T> results, String nextPageKey) {
        this(results, nextPageKey, false);
    }

    /** The key of the next page, or nothing at the end. A page may be short or empty and still have one. */
    public Optional<String> next() {
        return Optional.ofNullable(nextPageKey);
    }
}
