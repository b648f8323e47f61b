package io.selvedge.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The conditions of a query in the service's language (N16, N48), which has one criterion for each field. */
final class Criteria {

    private static final String OR = "or";

    private Criteria() {}

    /** With one condition more; where the field has one, both must hold. */
    static Map<String, Object> and(Map<String, Object> criteria, String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(criteria);
        more.put(field, criteria.containsKey(field) ? both(field, criteria.get(field), value) : value);
        return Collections.unmodifiableMap(more);
    }

    private static Object both(String field, Object one, Object other) {
        if (Objects.equals(one, other)) {
            return one;
        }
        if (field.equals(OR) && one instanceof List<?> first && other instanceof List<?> second) {
            return pairs(first, second);
        }
        Map<String, Object> operators = new LinkedHashMap<>(operators(field, one, other, one));
        operators(field, one, other, other).forEach((operator, value) -> {
            if (operators.containsKey(operator) && !Objects.equals(operators.get(operator), value)) {
                throw apart(field, one, other);
            }
            operators.put(operator, value);
        });
        return Collections.unmodifiableMap(operators);
    }

    /** One of these and one of those: one of all the pairs. */
    private static List<Map<String, Object>> pairs(List<?> first, List<?> second) {
        List<Map<String, Object>> pairs = new ArrayList<>();
        for (Object one : first) {
            for (Object other : second) {
                Map<String, Object> pair = members(one);
                for (Map.Entry<String, Object> each : members(other).entrySet()) {
                    pair = and(pair, each.getKey(), each.getValue());
                }
                pairs.add(pair);
            }
        }
        return Collections.unmodifiableList(pairs);
    }

    /** A plain value as the operator that means the same; a range in words has none. */
    private static Map<String, Object> operators(String field, Object one, Object other, Object value) {
        if (value instanceof Map<?, ?>) {
            return members(value);
        }
        if (value instanceof String text && text.strip().matches("(?is)between\\s.*")) {
            throw apart(field, one, other);
        }
        return Collections.singletonMap(value instanceof Collection<?> ? "in" : "eq", value);
    }

    private static Map<String, Object> members(Object object) {
        Map<String, Object> members = new LinkedHashMap<>();
        ((Map<?, ?>) object).forEach((name, value) -> members.put((String) name, value));
        return members;
    }

    private static IllegalStateException apart(String field, Object one, Object other) {
        return new IllegalStateException(
                "the conditions on \"" + field + "\" cannot be said together: " + one + ", " + other);
    }
}
