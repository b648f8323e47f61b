package io.selvedge.client;

import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which change records to read. Immutable; each step returns a new query. Newest first unless told otherwise.
 *
 * <pre>{@code
 * ChangeQuery lastWeek = ChangeQuery.all()
 *     .entityTypes("item", "color")
 *     .between(LocalDate.now().minusDays(7), LocalDate.now())
 *     .order(Order.ASC);
 * }</pre>
 */
public final class ChangeQuery {

    private static final ChangeQuery ALL = new ChangeQuery(Map.of(), null, null, null, null);

    private final Map<String, Object> criteria;
    private final Order order;
    private final Integer limit;
    private final String nextPageKey;
    private final String after;

    private ChangeQuery(Map<String, Object> criteria, Order order, Integer limit, String nextPageKey, String after) {
        this.criteria = criteria;
        this.order = order;
        this.limit = limit;
        this.nextPageKey = nextPageKey;
        this.after = after;
    }

    /** Every change. */
    public static ChangeQuery all() {
        return ALL;
    }

    /** Changes of entities of these types, by root type path: {@code item}, {@code project-item}, {@code color}, … */
    public ChangeQuery entityTypes(String... types) {
        return with("entityType", types.length == 1 ? types[0] : List.of(types));
    }

    /** Changes of one entity. */
    public ChangeQuery entity(String entityType, String id) {
        return with("entityReference", entityType + ":" + id);
    }

    /** Changes on these days (UTC) and between them. */
    public ChangeQuery between(LocalDate first, LocalDate last) {
        return with("createdOn", ListQuery.between(first, last));
    }

    /** Changes between these times, both included. */
    public ChangeQuery between(Instant start, Instant end) {
        return with("createdOn", ListQuery.between(start, end));
    }

    /** The order by time; cannot be combined with {@link #after}, which is always oldest first. */
    public ChangeQuery order(Order direction) {
        return new ChangeQuery(criteria, direction, limit, nextPageKey, after);
    }

    /** At most this many records a page, 1 to 1000. */
    public ChangeQuery limit(int size) {
        return new ChangeQuery(criteria, order, size, nextPageKey, after);
    }

    /** Goes on where the page with this key begins. */
    public ChangeQuery nextPageKey(String key) {
        return new ChangeQuery(criteria, order, limit, key, after);
    }

    /**
     * Exactly the changes committed after this position, oldest first.
     *
     * @param syncKey from an earlier page; empty for the beginning of the history
     */
    public ChangeQuery after(String syncKey) {
        return new ChangeQuery(criteria, order, limit, nextPageKey, syncKey);
    }

    private ChangeQuery with(String key, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(criteria);
        more.put(key, value);
        return new ChangeQuery(Map.copyOf(more), order, limit, nextPageKey, after);
    }

    Query toQuery() {
        return Query.NONE
                .and("criteria", criteria.isEmpty() ? null : criteria)
                .and("order", order == null ? null : order.by("createdOn"))
                .and("limit", limit)
                .and("nextPageKey", nextPageKey)
                .and("after", after);
    }
}
