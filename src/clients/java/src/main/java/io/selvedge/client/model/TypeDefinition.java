package io.selvedge.client.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A type path and the properties of its entities.
 *
 * @param id identifier, null before it is created
 * @param typePath for example {@code item:shirt}
 * @param rootTypePath on reading, the entity type; null before it is created
 * @param label name for people
 * @param properties its properties; on reading by type path, those of the paths above included
 * @param indexes on reading, how far the indexes of its properties are; never sent
 */
public record TypeDefinition(
        String id,
        String typePath,
        String rootTypePath,
        String label,
        List<Property> properties,
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) List<Index> indexes) {

    /** Reads absent properties and indexes as none. */
    public TypeDefinition {
        properties = Lists.orEmpty(properties);
        indexes = Lists.orEmpty(indexes);
    }

    /** A definition as it is sent. */
    public TypeDefinition(String id, String typePath, String rootTypePath, String label, List<Property> properties) {
        this(id, typePath, rootTypePath, label, properties, null);
    }

    /** A new definition. */
    public static TypeDefinition of(String typePath, String label, Property... properties) {
        return new TypeDefinition(null, typePath, null, label, List.of(properties));
    }

    /**
     * The index of a property.
     *
     * @param property its slug
     * @param state {@code filling} or {@code ready}
     * @param done entities that are in it
     * @param total entities that there were when filling began, null before that
     */
    public record Index(String property, String state, long done, Long total) {

        /** Whether all entities are in it. */
        public boolean isReady() {
            return "ready".equals(state);
        }
    }

    /**
     * A property.
     *
     * @param slug its name in entities
     * @param label name for people, or null
     * @param propertyType string, text, number, currency, percent, boolean, date, choice, multi_select, url,
     *     object_reference, object_ref_list or json
     * @param options what a choice may be: texts, or maps with {@code value} and {@code label}; or null
     * @param level {@code family}, {@code option}, {@code all} or {@code override}, or null
     * @param archived whether it is no longer used, or null
     * @param required whether every entity must have it, or null
     * @param indexed whether it has an index of its own, or null
     * @param inheritedFrom on reading, the type path that defines it; null where that is the type itself
     */
    public record Property(
            String slug,
            String label,
            String propertyType,
            List<Object> options,
            String level,
            Boolean archived,
            Boolean required,
            Boolean indexed,
            String inheritedFrom) {

        /** A property with nothing special about it. */
        public static Property of(String slug, String label, String propertyType) {
            return new Property(slug, label, propertyType, null, null, null, null, null, null);
        }
    }
}
