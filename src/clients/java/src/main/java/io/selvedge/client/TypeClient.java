package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.EntityType;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.TypeDefinition;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
        return await(entityTypesAsync());
    }

    /** {@link #entityTypes} without waiting. */
    public CompletableFuture<List<EntityType>> entityTypesAsync() {
        record Answer(List<EntityType> entityTypes) {}
        Call call = Call.get(TYPES).query(Query.of("limit", 1));
        return pipeline.send(call, response -> {
            Answer answer = Json.WIRE.read(response, Json.type(Answer.class));
            return answer.entityTypes();
        });
    }

    /** One page of the types that the organization has defined. */
    public Page<TypeDefinition> list(ListQuery query) {
        return await(listAsync(query));
    }

    /** {@link #list} without waiting. */
    public CompletableFuture<Page<TypeDefinition>> listAsync(ListQuery query) {
        return pipeline.page(Call.get(TYPES), query, TypeDefinition.class);
    }

    /** A type by its path or id, with the properties that it inherits. */
    public TypeDefinition get(String typePath) {
        return await(getAsync(typePath));
    }

    /** {@link #get} without waiting. */
    public CompletableFuture<TypeDefinition> getAsync(String typePath) {
        return pipeline.send(Call.get(TYPES, typePath), TypeDefinition.class);
    }

    /** Defines a type. */
    public TypeDefinition create(TypeDefinition type) {
        return await(createAsync(type));
    }

    /** {@link #create} without waiting. */
    public CompletableFuture<TypeDefinition> createAsync(TypeDefinition type) {
        return pipeline.send(Call.post(TYPES).body(Json.WIRE.body(type)), TypeDefinition.class);
    }

    /** Replaces label and properties of a type. */
    public TypeDefinition update(String id, TypeDefinition type) {
        return await(updateAsync(id, type));
    }

    /** {@link #update} without waiting. */
    public CompletableFuture<TypeDefinition> updateAsync(String id, TypeDefinition type) {
        return pipeline.send(Call.put(TYPES, id).body(Json.WIRE.body(type)), TypeDefinition.class);
    }

    /** Deletes a type. */
    public void delete(String id) {
        await(deleteAsync(id));
    }

    /** {@link #delete} without waiting. */
    public CompletableFuture<Void> deleteAsync(String id) {
        return pipeline.send(Call.delete(TYPES, id));
    }
}
