package io.selvedge.client.model;

import java.time.Instant;
import java.util.Map;

/**
 * One change of one entity.
 *
 * @param id identifier of the record
 * @param entityType root type path of the changed entity, for example {@code item}
 * @param entityReference {@code <entityType>:<id>}
 * @param changeType {@code create}, {@code update} or {@code delete}
 * @param createdOn time of the change
 * @param createdById who made it
 * @param createdByType {@code user}, {@code app}, {@code operator}, {@code loader} or {@code workflow}
 * @param version version of the entity after the change
 * @param changes old and new value of each property that changed
 */
public record ChangeRecord(
        String id,
        String entityType,
        String entityReference,
        String changeType,
        Instant createdOn,
        String createdById,
        String createdByType,
        long version,
        Map<String, PropertyChange> changes) {

    /** Reads absent changes as none. */
    public ChangeRecord {
        changes = Lists.orEmpty(changes);
    }

    /** The id of the changed entity, taken from the reference. */
    public String entityId() {
        return entityReference.substring(entityReference.lastIndexOf(':') + 1);
    }
}
