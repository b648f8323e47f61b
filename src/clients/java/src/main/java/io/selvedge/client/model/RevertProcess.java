package io.selvedge.client.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The taking back of a load, or of changes, and how far it has come.
 *
 * @param id identifier
 * @param name name given to it
 * @param loaderProcessId the load that is taken back, or null
 * @param dryRun whether nothing is written
 * @param status {@code pending}, {@code running}, {@code completed}, {@code failed} or {@code cancelled}
 * @param failure why it failed, or null
 * @param progress how far it has come
 * @param results what was done, by entity type
 * @param issueCount how much was left alone
 * @param issues the first 100 of it
 * @param issuesFileId file with all of it, or null
 * @param startedOn when it began, or null
 * @param endedOn when it ended, or null
 */
public record RevertProcess(
        String id,
        String name,
        String loaderProcessId,
        boolean dryRun,
        String status,
        String failure,
        Progress progress,
        Map<String, Counts> results,
        long issueCount,
        List<Issue> issues,
        String issuesFileId,
        Instant startedOn,
        Instant endedOn) {

    /** Reads absent lists as empty ones. */
    public RevertProcess {
        results = Lists.orEmpty(results);
        issues = Lists.orEmpty(issues);
        progress = progress == null ? new Progress("", 0, 0) : progress;
    }

    /** Whether it has ended, well or not. */
    public boolean isEnded() {
        return endedOn != null;
    }

    /** Whether it has done all that it could. */
    public boolean isCompleted() {
        return "completed".equals(status);
    }

    /**
     * How far it has come.
     *
     * @param phase what it does
     * @param changesDone change records looked at that are to be taken back
     * @param percent of the whole
     */
    public record Progress(String phase, long changesDone, int percent) {}

    /**
     * What was done with entities of one type.
     *
     * @param deleted deleted again
     * @param restored brought back
     * @param updated given their old values
     * @param unchanged as before already
     * @param kept left alone
     */
    public record Counts(long deleted, long restored, long updated, long unchanged, long kept) {}

    /**
     * What was left alone.
     *
     * @param entityReference {@code <entityType>:<id>}
     * @param property the property, or null for the whole entity
     * @param reason a stable word, such as {@code changed_since}
     * @param message the same for people
     */
    public record Issue(String entityReference, String property, String reason, String message) {}
}
