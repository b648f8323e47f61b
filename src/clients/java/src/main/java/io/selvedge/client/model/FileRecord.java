package io.selvedge.client.model;

import java.time.Instant;

/**
 * An uploaded file.
 *
 * @param id identifier; what {@code fileLocation} of a load takes
 * @param fileName name
 * @param contentType media type
 * @param status {@code pending} until the content has arrived, then {@code ready}
 * @param size number of bytes, null while pending
 * @param checksum digest of the content, null while pending
 * @param uploadedOn when the content arrived, null while pending
 * @param createdOn time of creation
 * @param updatedOn time of the last change
 */
public record FileRecord(
        String id,
        String fileName,
        String contentType,
        String status,
        Long size,
        String checksum,
        Instant uploadedOn,
        Instant createdOn,
        Instant updatedOn) {

    /** Whether the content has arrived. */
    public boolean isReady() {
        return "ready".equals(status);
    }
}
