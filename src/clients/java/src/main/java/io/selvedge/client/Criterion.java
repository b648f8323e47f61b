package io.selvedge.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a field must be, for {@link ListQuery#where}: operators that all must hold. Immutable; each step returns a new
 * one.
 *
 * <pre>{@code
 * ListQuery.all()
 *     .where("price", Criterion.atLeast(20).lessThan(50))
 *     .where("name", Criterion.contains("shirt"));
 * }</pre>
 */
public final class Criterion {

    private static final Criterion NONE = new Criterion(Map.of());

    private final Map<String, Object> operators;

    private Criterion(Map<String, Object> operators) {
        this.operators = operators;
    }

    private Criterion with(String operator, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(operators);
        more.put(operator, value);
        return new Criterion(Collections.unmodifiableMap(more));
    }

    Map<String, Object> operators() {
        return operators;
    }

    /** Not this value; holds where there is none, too. Not null: there is a value. */
    public static Criterion not(Object value) {
        return NONE.with("not", value);
    }

    /** None of these values; holds where there is none, too. */
    public static Criterion noneOf(Object... values) {
        return NONE.with("notIn", Arrays.asList(values));
    }

    /** Whether there is a value. */
    public static Criterion exists(boolean isThere) {
        return NONE.with("exists", isThere);
    }

    /** Text that holds this one, whatever its case. */
    public static Criterion contains(String text) {
        return NONE.with("contains", text);
    }

    /** Text that begins with this one, whatever its case. */
    public static Criterion startsWith(String text) {
        return NONE.with("startsWith", text);
    }

    /** Between both, both included. */
    public static Criterion between(Object start, Object end) {
        return NONE.with("between", List.of(start, end));
    }

    /** Greater than this number, text, date or time. */
    public static Criterion greaterThan(Object value) {
        return NONE.with("gt", value);
    }

    /** This or greater. */
    public static Criterion atLeast(Object value) {
        return NONE.with("gte", value);
    }

    /** Less than this. */
    public Criterion lessThan(Object value) {
        return with("lt", value);
    }

    /** This or less. */
    public Criterion atMost(Object value) {
        return with("lte", value);
    }

    /** Less than this, with nothing else asked for. */
    public static Criterion below(Object value) {
        return NONE.with("lt", value);
    }

    /** This or less, with nothing else asked for. */
    public static Criterion upTo(Object value) {
        return NONE.with("lte", value);
    }

    /** What both ask for; where both use one operator, that of the other counts. */
    public Criterion and(Criterion other) {
        Map<String, Object> both = new LinkedHashMap<>(operators);
        both.putAll(other.operators);
        return new Criterion(Collections.unmodifiableMap(both));
    }
}
