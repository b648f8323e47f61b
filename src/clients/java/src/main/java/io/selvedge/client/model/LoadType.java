package io.selvedge.client.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.stream.Stream;

/** What a load creates. Only {@link #ITEM} can be combined with others. */
public enum LoadType {
    /** Items: families and options. */
    ITEM,
    /** Project items, together with {@link #ITEM}. */
    PROJECT_ITEM,
    /** Assortment items, together with {@link #ITEM} and perhaps {@link #PROJECT_ITEM}. */
    ASSORTMENT,
    /** Colors. */
    COLOR,
    /** Custom entities of one type. */
    CUSTOM_ENTITY,
    /** Size range templates. */
    SIZE_RANGE_TEMPLATE,
    /** On reading, what a newer service loads and this client does not know. */
    UNKNOWN;

    @JsonCreator
    static LoadType named(String name) {
        return Stream.of(values()).filter(type -> type.name().equals(name)).findFirst().orElse(UNKNOWN);
    }
}
