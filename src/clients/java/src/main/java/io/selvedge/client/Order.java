package io.selvedge.client;

import java.util.Locale;
import java.util.Map;

/** The direction of a sorted list. */
public enum Order {
    /** Smallest or oldest first. */
    ASC,
    /** Largest or newest first. */
    DESC;

    Map<String, Object> by(String field) {
        return Map.of("orderField", field, "order", name().toLowerCase(Locale.ROOT));
    }
}
