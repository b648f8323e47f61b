package io.selvedge.client.model;

import java.time.Instant;

/**
 * What a publish of an assortment changed.
 *
 * @param id identifier
 * @param detail how many members it changed
 * @param createdOn when it was published
 */
public record PublishRecord(String id, Detail detail, Instant createdOn) {

    /**
     * Counts of members.
     *
     * @param adds members added
     * @param updates members changed
     * @param deletes members removed
     */
    public record Detail(long adds, long updates, long deletes) {}
}
