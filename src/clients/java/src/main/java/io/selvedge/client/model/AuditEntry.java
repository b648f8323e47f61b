package io.selvedge.client.model;

import java.time.Instant;
import java.util.Map;

/**
 * Something that people, keys or the operator did.
 *
 * @param id identifier
 * @param createdOn when
 * @param action what
 * @param actorType {@code user}, {@code app}, {@code operator} or {@code nobody}
 * @param actorId who, or null
 * @param address the network address it came from, or null
 * @param subjectId what it concerned, or null
 * @param detail more about it
 * @param number its place in the chain of lines, or null until it is chained
 * @param digest over itself and the line before, or null until it is chained
 */
public record AuditEntry(
        String id,
        Instant createdOn,
        String action,
        String actorType,
        String actorId,
        String address,
        String subjectId,
        Map<String, Object> detail,
        Long number,
        String digest) {

    /** Reads an absent detail as an empty one. */
    public AuditEntry {
        detail = Lists.orEmpty(detail);
    }
}
