package io.selvedge.client.model;

import java.time.Instant;

/**
 * An organization, as the operator sees it.
 *
 * @param id identifier
 * @param slug slug
 * @param name name
 * @param tier rate tier: {@code standard}, {@code high} or {@code internal}
 * @param createdOn when it was made
 * @param suspendedOn since when it is suspended, or null
 * @param historyRetentionDays how long its change history is kept, null for ever
 * @param historyArchiveDays after how many days change records move into files, null for never
 * @param database name of the database that its data is in
 * @param moving whether it is on its way to another one
 */
public record Organization(
        String id,
        String slug,
        String name,
        String tier,
        Instant createdOn,
        Instant suspendedOn,
        Integer historyRetentionDays,
        Integer historyArchiveDays,
        String database,
        boolean moving) {}
