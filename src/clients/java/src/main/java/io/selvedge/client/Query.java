package io.selvedge.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The query part of an address. Objects go as URL-encoded JSON, one of the service's two encodings. */
record Query(Map<String, String> parameters) {

    static final Query NONE = new Query(Map.of());

    static Query of(String name, Object value) {
        return NONE.and(name, value);
    }

    /** Adds a parameter; null leaves it out. */
    Query and(String name, Object value) {
        if (value == null) {
            return this;
        }
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value instanceof Map ? Json.WIRE.text(value) : value.toString());
        return new Query(more);
    }

    /** With the question mark, or empty. */
    @Override
    public String toString() {
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(entry -> Call.encode(entry.getKey()) + "=" + Call.encode(entry.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }
}
