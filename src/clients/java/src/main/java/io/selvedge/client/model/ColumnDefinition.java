package io.selvedge.client.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * A column that a load computes. {@code {column}} in an expression stands for that column's value in the row.
 *
 * <pre>{@code
 * ColumnDefinition.of("season")
 *     .when("{month} < 7", "spring")
 *     .otherwise("autumn")
 * }</pre>
 *
 * @param toProperty the column to write
 * @param fromProperty the column to copy, null for none; not used when there are conditions
 * @param conditions tried in order, the first that holds gives the value; null for none
 * @param otherwise the value when none holds, null for none
 */
public record ColumnDefinition(
        String toProperty, String fromProperty, List<Condition> conditions, @JsonProperty("default") Object otherwise) {

    /**
     * A condition and the value it gives.
     *
     * @param conditional a JavaScript expression
     * @param value the value, may be null; an expression when it contains a brace
     */
    public record Condition(String conditional, @JsonInclude(JsonInclude.Include.ALWAYS) Object value) {}

    /** A column that is to be given a value by the further steps. */
    public static ColumnDefinition of(String toProperty) {
        return new ColumnDefinition(toProperty, null, null, null);
    }

    /** Copies another column. */
    public ColumnDefinition from(String column) {
        return new ColumnDefinition(toProperty, column, conditions, otherwise);
    }

    /** Adds a condition after those there are. */
    public ColumnDefinition when(String conditional, Object value) {
        List<Condition> more = new ArrayList<>(conditions == null ? List.of() : conditions);
        more.add(new Condition(conditional, value));
        return new ColumnDefinition(toProperty, fromProperty, List.copyOf(more), otherwise);
    }

    /** The value when no condition holds, or of every row when there are none. */
    public ColumnDefinition otherwise(Object value) {
        return new ColumnDefinition(toProperty, fromProperty, conditions, value);
    }
}
