package io.selvedge.client.model;

/**
 * An entity together with the mark of its present state.
 *
 * @param value the entity
 * @param etag what to pass as {@code ifMatch} so that a write succeeds only while nobody else has changed the entity
 */
public record Tagged<T>(T value, String etag) {}
