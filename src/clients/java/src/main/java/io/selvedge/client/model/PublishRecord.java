package io.selvedge.client.model;

import java.time.Instant;

/**
 * What a publish of an assortment changed.
 *
 * @param id identifier
 * @param assortmentId the assortment
 * @param createdOn when it was published
 * @param createdById who published it
 * @param createdByType {@code user}, {@code app}, {@code operator}, {@code loader} or {@code workflow}
 * @param detail how many members it changed, and where they are listed
 */
public record PublishRecord(
        String id, String assortmentId, Instant createdOn, String createdById, String createdByType, Detail detail) {

    /**
     * Counts of members, and the addresses of lists of them.
     *
     * @param adds members added
     * @param updates members changed
     * @param deletes members removed
     * @param addsUrl list of the members added
     * @param updatesUrl list of the members changed
     * @param deletesUrl list of the members removed
     * @param baselineUrl list of the members before the publish
     */
    public record Detail(
            long adds,
            long updates,
            long deletes,
            String addsUrl,
            String updatesUrl,
            String deletesUrl,
            String baselineUrl) {}
}
