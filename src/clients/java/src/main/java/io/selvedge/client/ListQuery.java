package io.selvedge.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What to list and how. Immutable; each step returns a new query.
 *
 * <pre>{@code
 * ListQuery shirts = ListQuery.all()
 *     .where("typePath", "item:shirt")
 *     .whereAnyOf("status", "draft", "ready")
 *     .whereBetween("createdOn", "2026-01-01", "2026-01-31")
 *     .orderBy("name", Order.ASC)
 *     .limit(200);
 * }</pre>
 */
public final class ListQuery {

    /** What the service gives where no limit is sent. */
    private static final int DEFAULT_SIZE = 100;

    private static final ListQuery ALL = new ListQuery(null, null, Map.of(), Map.of(), null);

    private final Integer limit;
    private final String nextPageKey;
    private final Map<String, Object> criteria;
    private final Map<String, Object> order;
    private final String relations;

    private ListQuery(
            Integer limit,
            String nextPageKey,
            Map<String, Object> criteria,
            Map<String, Object> order,
            String relations) {
        this.limit = limit;
        this.nextPageKey = nextPageKey;
        this.criteria = criteria;
        this.order = order;
        this.relations = relations;
    }

    /** Everything, in the order of creation, in pages of the service's default size. */
    public static ListQuery all() {
        return ALL;
    }

    /** At most this many entities a page, 1 to 1000. */
    public ListQuery limit(int size) {
        return new ListQuery(size, nextPageKey, criteria, order, relations);
    }

    /** Goes on where the page with this key begins. */
    public ListQuery nextPageKey(String key) {
        return new ListQuery(limit, key, criteria, order, relations);
    }

    /** The field equals the value; a field that holds a list contains it. */
    public ListQuery where(String field, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(criteria);
        more.put(field, value);
        return new ListQuery(limit, nextPageKey, Collections.unmodifiableMap(more), order, relations);
    }

    /** The field equals one of the values. */
    public ListQuery whereAnyOf(String field, Object... values) {
        return where(field, Arrays.asList(values));
    }

    /** The field has no value. */
    public ListQuery whereAbsent(String field) {
        return where(field, null);
    }

    /** The field lies between the two, both included; for times, dates or full ISO times. */
    public ListQuery whereBetween(String field, Object start, Object end) {
        return where(field, between(start, end));
    }

    /** Sorts by an indexed field: name, createdOn, updatedOn, federatedId or identifier. */
    public ListQuery orderBy(String field, Order direction) {
        return new ListQuery(limit, nextPageKey, criteria, direction.by(field), relations);
    }

    /** Adds the entities referred to beside their ids, for example {@code "item", "item.itemFamily"}. */
    public ListQuery relations(String... names) {
        return new ListQuery(limit, nextPageKey, criteria, order, names.length == 0 ? null : String.join(",", names));
    }

    /** How many entities a page has at most. */
    int size() {
        return limit == null ? DEFAULT_SIZE : limit;
    }

    static String between(Object start, Object end) {
        return "BETWEEN " + start + " and " + end;
    }

    /** An export takes no pages. */
    Query toExportQuery() {
        return Query.NONE
                .and("criteria", criteria.isEmpty() ? null : criteria)
                .and("order", order.isEmpty() ? null : order);
    }

    Query toQuery() {
        return Query.NONE
                .and("limit", limit)
                .and("nextPageKey", nextPageKey)
                .and("criteria", criteria.isEmpty() ? null : criteria)
                .and("order", order.isEmpty() ? null : order)
                .and("relations", relations);
    }
}
