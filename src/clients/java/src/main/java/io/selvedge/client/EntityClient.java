package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import io.selvedge.client.model.EntityCount;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.Tagged;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The generic operations on entities of every type, addressed by the singular name of the type ({@code item},
 * {@code project-item}, {@code color}, …).
 *
 * <pre>{@code
 * var created = client.entities().create("item", Map.of("name", "Shirt", "typePath", "item:shirt"));
 * client.entities().update("item", (String) created.get("id"), Map.of("name", "Linen shirt"));
 *
 * record Item(String id, String name, String typePath) {}
 * Item item = client.entities(Item.class).get("item", (String) created.get("id"));
 * }</pre>
 *
 * <p>Bodies may be maps or objects of your own classes. An update changes the top-level fields that are sent and keeps
 * the others. A null in a map clears one; null fields of your own classes are not sent.
 *
 * @param <T> what entities are read as: maps, or a class of yours
 */
public final class EntityClient<T> {

    private final Pipeline pipeline;
    private final Json json;
    private final JavaType type;

    EntityClient(Pipeline pipeline, JavaType type) {
        this.pipeline = pipeline;
        this.json = pipeline.settings().json();
        this.type = type;
    }

    /** The same operations with entities read as a class of yours. */
    public <U> EntityClient<U> as(Class<U> type) {
        return new EntityClient<>(pipeline, Json.type(type));
    }

    /** The same operations with entities read as a generic type of yours. */
    public <U> EntityClient<U> as(TypeReference<U> type) {
        return new EntityClient<>(pipeline, Json.type(type));
    }

    /**
     * One entity.
     *
     * @param relations entities to add beside their ids, for example {@code "item", "item.itemFamily"}
     * @throws ApiException with status 404 when there is none of this type with this id
     */
    public T get(String entityName, String id, String... relations) {
        return await(pipeline.send(
                Call.get(entityName, id)
                        .query(ListQuery.all().relations(relations).toQuery()),
                json,
                type));
    }

    /**
     * One entity with the mark of its state, for a later {@code update} or {@code delete} that must not overwrite
     * others' changes.
     */
    public Tagged<T> getTagged(String entityName, String id) {
        return await(pipeline.send(
                Call.get(entityName, id),
                response -> new Tagged<>(
                        json.read(response, type),
                        response.header("ETag").orElse(null))));
    }

    /**
     * One page of entities. Where the service stops looking before the page is full, the client reads on until it is, or
     * until everything has been looked at.
     */
    public Page<T> list(String entityName, ListQuery query) {
        return await(Paging.filled(query, part -> pipeline.send(
                Call.get(entityName).query(part.toQuery()), json, Json.type(Page.class, type))));
    }

    /** How many entities fit the criteria and words of the query; exact up to 10,000. */
    public EntityCount count(String entityName, ListQuery query) {
        return await(pipeline.send(Call.get(entityName, "count").query(query.toCountQuery()), EntityCount.class));
    }

    /** Entities of all types that hold all words, or have the text as their key; limit and page key of the query count. */
    public Page<T> search(String text, ListQuery query) {
        return search(text, null, query);
    }

    /** {@link #search(String, ListQuery)} among entities of one type. */
    public Page<T> search(String text, String entityName, ListQuery query) {
        return await(Paging.filled(query, part -> pipeline.send(
                Call.get("search").query(part.toSearchQuery(text, entityName)), json, Json.type(Page.class, type))));
    }

    /**
     * Every entity that fits the query. Pages are fetched while the stream is consumed, so {@code limit(10)} on it
     * reads one page.
     */
    public Stream<T> listAll(String entityName, ListQuery query) {
        return Paging.stream(null, key -> {
            Page<T> page = list(entityName, key == null ? query : query.nextPageKey(key));
            return new Paging.Part<>(page.results(), page.nextPageKey());
        });
    }

    /** Creates an entity and returns it as stored. */
    public T create(String entityName, Object entity) {
        return await(pipeline.send(Call.create(entityName).body(json.body(entity)), json, type));
    }

    /**
     * Brings an earlier version back, or some properties of it; a deleted entity returns under its id.
     *
     * @param properties only these; none: all of them
     * @throws ApiException with status 409 that names what stands against it
     */
    public T restore(String entityName, String id, int version, String... properties) {
        return await(restored(Call.post(entityName, id, "restore"), version, List.of(properties)));
    }

    /**
     * Brings an earlier version back, unless somebody has changed the entity meanwhile.
     *
     * @param ifMatch the mark from {@link #getTagged}
     * @param properties only these; empty: all of them
     * @throws ApiException with status 412 when the entity is no longer in that state
     */
    public T restore(String entityName, String id, int version, String ifMatch, List<String> properties) {
        return await(restored(Call.post(entityName, id, "restore").ifMatch(ifMatch), version, properties));
    }

    private CompletableFuture<T> restored(Call call, int version, List<String> properties) {
        record Wanted(int version, List<String> properties) {}
        return pipeline.send(
                call.body(Json.WIRE.body(new Wanted(version, properties.isEmpty() ? null : properties))), json, type);
    }

    /** Changes the fields that are sent and returns the whole entity. */
    public T update(String entityName, String id, Object fields) {
        return await(pipeline.send(Call.put(entityName, id).body(json.body(fields)), json, type));
    }

    /**
     * Changes the fields that are sent, unless somebody has changed the entity meanwhile.
     *
     * @param ifMatch the mark from {@link #getTagged}
     * @throws ApiException with status 412 when the entity is no longer in that state
     */
    public T update(String entityName, String id, Object fields, String ifMatch) {
        return await(pipeline.send(Call.put(entityName, id).ifMatch(ifMatch).body(json.body(fields)), json, type));
    }

    /** Deletes an entity. */
    public void delete(String entityName, String id) {
        await(pipeline.send(Call.delete(entityName, id)));
    }

    /**
     * Deletes an entity, unless somebody has changed it meanwhile.
     *
     * @param ifMatch the mark from {@link #getTagged}
     * @throws ApiException with status 412 when the entity is no longer in that state
     */
    public void delete(String entityName, String id, String ifMatch) {
        await(pipeline.send(Call.delete(entityName, id).ifMatch(ifMatch)));
    }

    /** Creates up to 1000 entities, all or none, and returns them in order. */
    public List<T> createBatch(String entityName, List<?> entities) {
        return await(batch(Call.post(entityName, Call.BATCH), entities));
    }

    /** Changes up to 1000 entities, all or none; each names its {@code id}. */
    public List<T> updateBatch(String entityName, List<?> entities) {
        return await(batch(Call.put(entityName, Call.BATCH), entities));
    }

    /** Creates or changes up to 1000 entities, all or none, by their {@code federatedId}. */
    public List<T> upsertBatch(String entityName, List<?> entities) {
        return await(batch(Call.post(entityName, Call.BATCH).query(Query.of("upsertBy", "federatedId")), entities));
    }

    /** Deletes up to 1000 entities, all or none. */
    public void deleteBatch(String entityName, List<String> ids) {
        await(pipeline.send(Call.deleteBatch(entityName, ids.size()).body(json.body(ids))));
    }

    private CompletableFuture<List<T>> batch(Call call, List<?> entities) {
        return pipeline.results(call.body(json.body(entities)), json, type);
    }
}
