package io.selvedge.client.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Absent lists and maps of an answer become empty ones, and none can be changed. Maps may hold nulls. */
final class Lists {

    private Lists() {}

    static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : Collections.unmodifiableList(list);
    }

    static <V> Map<String, V> orEmpty(Map<String, V> map) {
        return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
