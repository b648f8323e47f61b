package io.selvedge.client.model;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The configuration of a load (LoaderProcess). Immutable.
 *
 * <pre>{@code
 * LoaderConfig config = LoaderConfig.builder(LoadType.ITEM)
 *     .mapping("itemFamilyFederatedId", "Style No")
 *     .mapping("name", "Style Name")
 *     .column(ColumnDefinition.of("typePath").otherwise("item:shirt"))
 *     .remove("Internal note")
 *     .build();
 * }</pre>
 */
public final class LoaderConfig {

    private final Map<String, Object> properties;

    private LoaderConfig(Map<String, Object> properties) {
        this.properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** A configuration that creates these types. */
    public static Builder builder(LoadType... types) {
        if (List.of(types).contains(LoadType.UNKNOWN)) {
            throw new IllegalArgumentException("no load creates UNKNOWN; LoaderConfig.of takes any name");
        }
        return new Builder().set("loadType", List.of(types));
    }

    /** A configuration as it goes over the wire, for example read from a JSON file. */
    public static LoaderConfig of(Map<String, ?> properties) {
        return new LoaderConfig(new LinkedHashMap<>(properties));
    }

    /** A configuration that is an uploaded YAML or JSON file. */
    public static Builder fromFile(String loaderConfigurationId) {
        return new Builder().set("loaderConfigurationId", loaderConfigurationId);
    }

    /** The same configuration for another file. */
    public LoaderConfig withFileLocation(String fileId) {
        return new Builder(properties).fileLocation(fileId).build();
    }

    /** The properties as they go over the wire. */
    @JsonValue
    public Map<String, Object> properties() {
        return properties;
    }

    /** Collects a configuration. */
    public static final class Builder {

        private final Map<String, Object> properties;

        private Builder() {
            this(Map.of());
        }

        private Builder(Map<String, Object> properties) {
            this.properties = new LinkedHashMap<>(properties);
        }

        /** Id of the uploaded CSV file; {@code LoadClient.run} with a path sets it by itself. */
        public Builder fileLocation(String fileId) {
            return set("fileLocation", fileId);
        }

        /** Fills a column from a column of the file, or with a fixed value where the file has no such column. */
        public Builder mapping(String targetColumn, String sourceColumnOrValue) {
            return put("federatedMappings", targetColumn, sourceColumnOrValue);
        }

        /** Computes a column. */
        public Builder column(ColumnDefinition definition) {
            return add("conditionalColumns", definition);
        }

        /** Removes columns before processing. */
        public Builder remove(String... columns) {
            for (String column : columns) {
                add("propertiesToRemove", column);
            }
            return this;
        }

        /** The project (workspace) that receives project items. */
        public Builder workspaceIdentifier(String identifier) {
            return set("workspaceIdentifier", identifier);
        }

        /** How rows are spread over assortments; required when loading assortments. */
        public Builder assortmentSplit(AssortmentSplit split) {
            return set("assortmentSplit", split);
        }

        /** Writes assortment items directly, without history, summaries and the publish event. */
        public Builder shouldSkipAssortmentPublish(boolean skip) {
            return set("shouldSkipAssortmentPublish", skip);
        }

        /** Does everything but the writes, and counts what would have been written. */
        public Builder dryRun(boolean dry) {
            return set("dryRun", dry);
        }

        /** {@code upsert}, {@code create} or {@code update}. */
        public Builder mode(String mode) {
            return set("mode", mode);
        }

        /** A name to recognize the load by. */
        public Builder name(String name) {
            return set("name", name);
        }

        /** Any other property, by its name on the wire. */
        public Builder set(String property, Object value) {
            properties.put(property, value);
            return this;
        }

        /** The configuration so far. */
        public LoaderConfig build() {
            return new LoaderConfig(properties);
        }

        private Builder add(String property, Object element) {
            List<Object> more = new ArrayList<>();
            if (properties.get(property) instanceof List<?> list) {
                more.addAll(list);
            }
            more.add(element);
            return set(property, Collections.unmodifiableList(more));
        }

        private Builder put(String property, String key, Object value) {
            Map<Object, Object> more = new LinkedHashMap<>();
            if (properties.get(property) instanceof Map<?, ?> map) {
                more.putAll(map);
            }
            more.put(key, value);
            return set(property, Collections.unmodifiableMap(more));
        }
    }
}
