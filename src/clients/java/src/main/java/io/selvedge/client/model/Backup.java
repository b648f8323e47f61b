package io.selvedge.client.model;

import java.time.Instant;

/**
 * A backup of an organization that the service has made by itself.
 *
 * @param id identifier, among those of its organization
 * @param organizationId the organization, which may be gone
 * @param slug slug that it had
 * @param bytes how large it is
 * @param begunOn when it was begun
 * @param completedOn when it was whole
 */
public record Backup(
        String id, String organizationId, String slug, long bytes, Instant begunOn, Instant completedOn) {}
