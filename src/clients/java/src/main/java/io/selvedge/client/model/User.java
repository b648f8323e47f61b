package io.selvedge.client.model;

/**
 * A person.
 *
 * @param id identifier
 * @param email address to sign in with
 * @param role {@code admin} or {@code member}
 */
public record User(String id, String email, String role) {}
