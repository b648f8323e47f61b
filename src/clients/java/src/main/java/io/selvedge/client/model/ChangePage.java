package io.selvedge.client.model;

import java.util.List;
import java.util.Optional;

/**
 * One page of the change history.
 *
 * @param results the records of this page
 * @param nextPageKey what to pass to get the next page, null at the end
 * @param syncKey position in the history to go on from later, see {@code ChangeQuery.after}
 */
public record ChangePage(List<ChangeRecord> results, String nextPageKey, String syncKey) {

    /** Reads an absent list as an empty one. */
    public ChangePage {
        results = Lists.orEmpty(results);
    }

    /** The key of the next page, or nothing at the end. */
    public Optional<String> next() {
        return Optional.ofNullable(nextPageKey);
    }
}
