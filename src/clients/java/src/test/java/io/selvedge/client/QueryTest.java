package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** What the conditions of a query become (N16, N48). */
class QueryTest {

    private static String criteria(ListQuery query) {
        return query.toQuery().parameters().get("criteria");
    }

    private static ListQuery where(String field, Object value) {
        return ListQuery.all().where(field, value);
    }

    @Test
    void conditionsOnOneFieldAddUp() {
        assertEquals(
                "{\"price\":{\"gte\":20,\"lt\":50}}",
                criteria(where("price", Criterion.atLeast(20)).where("price", Criterion.below(50))));
        assertEquals(
                "{\"name\":{\"eq\":\"Shirt\",\"exists\":true}}",
                criteria(where("name", "Shirt").where("name", Criterion.exists(true))));
        assertEquals(
                "{\"size\":{\"in\":[\"S\",\"M\"],\"not\":\"S\"}}",
                criteria(ListQuery.all().whereAnyOf("size", "S", "M").where("size", Criterion.not("S"))));
        assertEquals(
                "{\"color\":{\"eq\":null,\"not\":\"red\"}}",
                criteria(ListQuery.all().whereAbsent("color").where("color", Criterion.not("red"))));
    }

    @Test
    void aConditionThatIsSaidTwiceIsOne() {
        assertEquals("{\"name\":\"Shirt\"}", criteria(where("name", "Shirt").where("name", "Shirt")));
    }

    @Test
    void conditionsThatCannotStandTogetherAreRefused() {
        assertThrows(IllegalStateException.class, () -> where("tags", "a").where("tags", "b"));
        assertThrows(
                IllegalStateException.class,
                () -> where("name", Criterion.contains("a")).where("name", Criterion.contains("b")));
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> ListQuery.all().whereBetween("on", "2026-01-01", "2026-01-31").where("on", Criterion.not("x")));
        assertEquals(
                "the conditions on \"on\" cannot be said together: BETWEEN 2026-01-01 and 2026-01-31, {not=x}",
                e.getMessage());
    }

    @Test
    void alternativesAddUp() {
        ListQuery query = ListQuery.all()
                .or(where("a", 1), where("b", Criterion.atLeast(2)))
                .or(where("c", 3), where("b", Criterion.below(4)));

        assertEquals(
                "{\"or\":[{\"a\":1,\"c\":3},{\"a\":1,\"b\":{\"lt\":4}},{\"b\":{\"gte\":2},\"c\":3},"
                        + "{\"b\":{\"gte\":2,\"lt\":4}}]}",
                criteria(query));
    }

    @Test
    void alternativesThatCannotStandTogetherAreRefused() {
        assertThrows(
                IllegalStateException.class,
                () -> ListQuery.all().or(where("a", 1), where("b", 1)).or(where("a", 2), where("c", 1)));
    }

    @Test
    void daysAndTimesAreText() {
        assertEquals(
                "{\"launchOn\":{\"gte\":\"2026-01-02\"},\"at\":\"1970-01-01T00:00:00Z\"}",
                criteria(where("launchOn", Criterion.atLeast(LocalDate.of(2026, 1, 2)))
                        .where("at", Instant.EPOCH)));
        assertEquals(
                "{\"launchOn\":{\"between\":[\"2026-01-02\",\"2026-02-03\"]}}",
                criteria(where("launchOn", Criterion.between(LocalDate.of(2026, 1, 2), LocalDate.of(2026, 2, 3)))));
    }
}
