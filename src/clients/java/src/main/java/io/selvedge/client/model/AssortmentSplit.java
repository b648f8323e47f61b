package io.selvedge.client.model;

import java.util.ArrayList;
import java.util.List;

/**
 * How the rows of a load are spread over assortments.
 *
 * <pre>{@code
 * AssortmentSplit.on("region")
 *     .toIdentifier("EU", "fall-eu")
 *     .toId("US", assortmentId)
 * }</pre>
 *
 * @param fieldToSplitOn the column whose value picks the assortment
 * @param values which value leads to which assortment
 * @param partialAssortmentUpdate whether only the rows named are added or dropped, null for no
 * @param addField column whose true rows are added, null for none
 * @param dropField column whose true rows are dropped, null for none
 */
public record AssortmentSplit(
        String fieldToSplitOn,
        List<Target> values,
        Boolean partialAssortmentUpdate,
        String addField,
        String dropField) {

    /**
     * An assortment for a value of the column.
     *
     * @param value the value
     * @param assortmentId id of the assortment, or null
     * @param assortmentIdentifier identifier of the assortment, or null
     */
    public record Target(String value, String assortmentId, String assortmentIdentifier) {}

    /** A split by this column; add at least one target. */
    public static AssortmentSplit on(String column) {
        return new AssortmentSplit(column, List.of(), null, null, null);
    }

    /** Rows with this value go to the assortment with this id. */
    public AssortmentSplit toId(String value, String assortmentId) {
        return with(new Target(value, assortmentId, null));
    }

    /** Rows with this value go to the assortment with this identifier. */
    public AssortmentSplit toIdentifier(String value, String assortmentIdentifier) {
        return with(new Target(value, null, assortmentIdentifier));
    }

    /**
     * Adds and drops rows instead of replacing the assortments.
     *
     * @param add column whose true rows are added, null when every row not dropped is
     * @param drop column whose true rows are dropped, null when none is
     */
    public AssortmentSplit partial(String add, String drop) {
        return new AssortmentSplit(fieldToSplitOn, values, true, add, drop);
    }

    private AssortmentSplit with(Target target) {
        List<Target> more = new ArrayList<>(values);
        more.add(target);
        return new AssortmentSplit(fieldToSplitOn, List.copyOf(more), partialAssortmentUpdate, addField, dropField);
    }
}
