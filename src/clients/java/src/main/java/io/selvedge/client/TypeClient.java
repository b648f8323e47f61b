package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.EntityType;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.TypeCheck;
import io.selvedge.client.model.TypeDefinition;
import io.selvedge.client.transport.RequestBody;
import java.util.List;
import java.util.Map;

/**
 * The types of entities and their properties.
 *
 * <pre>{@code
 * client.types().create(TypeDefinition.of("item:shirt", "Shirt",
 *     TypeDefinition.Property.of("price", "Price", "currency")));
 * }</pre>
 */
public final class TypeClient {

    private static final String TYPES = "types";

    private final Pipeline pipeline;

    TypeClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** The entity types that the service has, each with its root type path. */
    public List<EntityType> entityTypes() {
        record Answer(List<EntityType> entityTypes) {}
        Call call = Call.get(TYPES).query(Query.of("limit", 1));
        return await(pipeline.send(call, response -> {
            Answer answer = Json.WIRE.read(response, Json.type(Answer.class));
            return answer.entityTypes();
        }));
    }

    /** One page of the types that the organization has defined. */
    public Page<TypeDefinition> list(ListQuery query) {
        return await(pipeline.page(Call.get(TYPES), query, TypeDefinition.class));
    }

    /** A type by its path or id, with the properties that it inherits. */
    public TypeDefinition get(String typePath) {
        return await(pipeline.send(Call.get(TYPES, typePath), TypeDefinition.class));
    }

    /**
     * What entities of a type are, as JSON Schema.
     *
     * @param typePath null for all types, which are then under {@code $defs}
     * @param variant {@code create}, {@code update} or {@code read}; null for what a create takes
     */
    public Map<String, Object> schema(String typePath, String variant) {
        Call call = typePath == null ? Call.get(TYPES) : Call.get(TYPES, typePath);
        Query query = Query.of("format", "json-schema").and("variant", variant);
        return await(pipeline.send(call.query(query), Json.WIRE, Json.mapType()));
    }

    /**
     * Which stored entities would no longer fit, if the types were these. Nothing is written.
     *
     * @param nextPageKey of the last answer, to look at more; null for the beginning
     */
    public TypeCheck check(List<TypeDefinition> types, String nextPageKey) {
        record Planned(String typePath, String label, List<TypeDefinition.Property> properties) {}
        record Plan(List<Planned> types, String nextPageKey) {}
        List<Planned> planned = types.stream()
                .map(type -> new Planned(type.typePath(), type.label(), type.properties()))
                .toList();
        RequestBody body = Json.WIRE.body(new Plan(planned, nextPageKey));
        return await(pipeline.send(Call.postIdempotent(TYPES, "check").body(body), TypeCheck.class));
    }

    /** Defines a type. */
    public TypeDefinition create(TypeDefinition type) {
        return await(pipeline.send(Call.post(TYPES).body(Json.WIRE.body(type)), TypeDefinition.class));
    }

    /** Replaces label and properties of a type. */
    public TypeDefinition update(String id, TypeDefinition type) {
        return await(pipeline.send(Call.put(TYPES, id).body(Json.WIRE.body(type)), TypeDefinition.class));
    }

    /** Deletes a type. */
    public void delete(String id) {
        await(pipeline.send(Call.delete(TYPES, id)));
    }
}
