package io.selvedge.client;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What to list and how. Immutable; each step returns a new query.
 *
 * <pre>{@code
 * ListQuery shirts = ListQuery.all()
 *     .where("typePath", "item:shirt")
 *     .whereAnyOf("status", "draft", "ready")
 *     .whereBetween("createdOn", "2026-01-01", "2026-01-31")
 *     .where("price", Criterion.atLeast(20).lessThan(50))
 *     .orderBy("name", Order.ASC)
 *     .limit(200);
 * }</pre>
 */
public final class ListQuery {

    /** What the service gives where no limit is sent. */
    private static final int DEFAULT_SIZE = 100;

    private static final ListQuery ALL = new ListQuery(null, null, Map.of(), Map.of(), null, null);

    private final Integer limit;
    private final String nextPageKey;
    private final Map<String, Object> criteria;
    private final Map<String, Object> order;
    private final String relations;
    private final String words;

    private ListQuery(
            Integer limit,
            String nextPageKey,
            Map<String, Object> criteria,
            Map<String, Object> order,
            String relations,
            String words) {
        this.limit = limit;
        this.nextPageKey = nextPageKey;
        this.criteria = criteria;
        this.order = order;
        this.relations = relations;
        this.words = words;
    }

    /** Everything, in the order of creation, in pages of the service's default size. */
    public static ListQuery all() {
        return ALL;
    }

    /** At most this many entities a page, 1 to 1000. */
    public ListQuery limit(int size) {
        return new ListQuery(size, nextPageKey, criteria, order, relations, words);
    }

    /** Goes on where the page with this key begins. */
    public ListQuery nextPageKey(String key) {
        return new ListQuery(limit, key, criteria, order, relations, words);
    }

    /**
     * The field equals the value; a field that holds a list contains it. A {@link Criterion} may stand for the value.
     * Conditions on one field must all hold.
     *
     * @throws IllegalStateException when the field has a condition beside which the service cannot be told this one
     */
    public ListQuery where(String field, Object value) {
        Object criterion = value instanceof Criterion operators ? operators.operators() : value;
        return new ListQuery(limit, nextPageKey, Criteria.and(criteria, field, criterion), order, relations, words);
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

    /**
     * At least one of these queries holds, whose criteria alone count, beside all the others; said again, one of each
     * time.
     *
     * @throws IllegalStateException when two of different times cannot be said together
     */
    public ListQuery or(ListQuery... alternatives) {
        List<Map<String, Object>> any =
                Stream.of(alternatives).map(each -> each.criteria).toList();
        return where("or", any);
    }

    /** Holds all these words, or beginnings of words; without an order, whole keys come first. */
    public ListQuery search(String text) {
        return new ListQuery(limit, nextPageKey, criteria, order, relations, text);
    }

    /** Sorts by an indexed field: name, createdOn, updatedOn, federatedId or identifier. */
    public ListQuery orderBy(String field, Order direction) {
        return new ListQuery(limit, nextPageKey, criteria, direction.by(field), relations, words);
    }

    /** Adds the entities referred to beside their ids, for example {@code "item", "item.itemFamily"}. */
    public ListQuery relations(String... names) {
        return new ListQuery(limit, nextPageKey, criteria, order, names.length == 0 ? null : String.join(",", names), words);
    }

    /** How many entities a page has at most. */
    int size() {
        return limit == null ? DEFAULT_SIZE : limit;
    }

    static String between(Object start, Object end) {
        return "BETWEEN " + start + " and " + end;
    }

    Query toCountQuery() {
        return Query.NONE.and("criteria", criteria.isEmpty() ? null : criteria).and("q", words);
    }

    Query toSearchQuery(String text, String entityType) {
        return Query.of("q", text)
                .and("entityType", entityType)
                .and("limit", limit)
                .and("nextPageKey", nextPageKey);
    }

    /** An export takes no pages. */
    Query toExportQuery() {
        return Query.NONE
                .and("criteria", criteria.isEmpty() ? null : criteria)
                .and("q", words)
                .and("order", order.isEmpty() ? null : order);
    }

    Query toQuery() {
        return Query.NONE
                .and("limit", limit)
                .and("nextPageKey", nextPageKey)
                .and("criteria", criteria.isEmpty() ? null : criteria)
                .and("q", words)
                .and("order", order.isEmpty() ? null : order)
                .and("relations", relations);
    }
}
