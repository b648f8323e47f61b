package io.selvedge.client.model;

import java.time.Instant;

/**
 * A person of the organization.
 *
 * @param id identifier
 * @param email address to sign in with
 * @param role {@code admin} or {@code member}
 * @param joinedOn when they became a member
 */
public record Member(String id, String email, String role, Instant joinedOn) {}
