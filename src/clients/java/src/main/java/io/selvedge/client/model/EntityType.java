package io.selvedge.client.model;

/**
 * One of the entity types that the service has.
 *
 * @param entityType its singular name, which calls take: {@code item}
 * @param rootTypePath what every type path of it begins with, and what filters of the change history take
 * @param path its name in paths: {@code items}
 * @param about what it is
 */
public record EntityType(String entityType, String rootTypePath, String path, String about) {}
