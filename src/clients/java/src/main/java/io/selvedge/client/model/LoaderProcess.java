package io.selvedge.client.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A load and how far it has come.
 *
 * @param id identifier
 * @param name name given to it, or null
 * @param loadType what it loads
 * @param fileLocation the file it loads
 * @param status {@code pending}, {@code running}, {@code completed}, {@code failed} or {@code cancelled}
 * @param failureArea {@code NONE}, {@code PARSING_CSV}, {@code VALIDATING_DATA} or {@code TRANSFORMING_DATA}
 * @param progress how far it has come
 * @param results what was written, by entity type
 * @param unrecordedWrites writes of assortment items without change records
 * @param steps the steps of preprocessing
 * @param errorCount how many faults there are
 * @param warningCount how many warnings there are
 * @param issues the first 100 faults and warnings
 * @param issuesFileId file with all of them, or null
 * @param annotatedFileId the loaded file with its issues beside the rows, to correct and load again, or null
 * @param assortmentPublishChangeIds the publishes that it made, for {@code assortments().publishRecord}
 * @param createdOn when it was asked for
 * @param startedOn when it began, or null
 * @param endedOn when it ended, or null
 */
public record LoaderProcess(
        String id,
        String name,
        List<LoadType> loadType,
        String fileLocation,
        String status,
        String failureArea,
        Progress progress,
        Map<String, Counts> results,
        long unrecordedWrites,
        List<Step> steps,
        long errorCount,
        long warningCount,
        List<Issue> issues,
        String issuesFileId,
        String annotatedFileId,
        List<String> assortmentPublishChangeIds,
        Instant createdOn,
        Instant startedOn,
        Instant endedOn) {

    /** Reads absent lists as empty ones. */
    public LoaderProcess {
        results = Lists.orEmpty(results);
        loadType = Lists.orEmpty(loadType);
        steps = Lists.orEmpty(steps);
        issues = Lists.orEmpty(issues);
        assortmentPublishChangeIds = Lists.orEmpty(assortmentPublishChangeIds);
        progress = progress == null ? new Progress("", 0, 0, 0, null, null) : progress;
    }

    /** Whether nothing more will happen. */
    public boolean isEnded() {
        return isCompleted() || "failed".equals(status) || "cancelled".equals(status);
    }

    /** Whether it ended as it should. */
    public boolean isCompleted() {
        return "completed".equals(status);
    }

    /**
     * How far a load has come.
     *
     * @param phase what it is doing
     * @param rowsTotal rows of this phase, 0 as long as unknown
     * @param rowsDone rows done
     * @param percent of the whole load, 0 to 100; it never runs back
     * @param rowsPerSecond how fast it goes, or null
     * @param secondsLeft until the end of the whole load, or null as long as unknown
     */
    public record Progress(
            String phase, long rowsTotal, long rowsDone, double percent, Double rowsPerSecond, Double secondsLeft) {}

    /**
     * What became of the rows of one entity type.
     *
     * @param created entities created
     * @param updated entities changed
     * @param unchanged entities that were so already
     * @param removed entities removed
     */
    public record Counts(long created, long updated, long unchanged, long removed) {}

    /**
     * A step of preprocessing.
     *
     * @param step its number
     * @param name what it does
     * @param rows rows it has seen
     * @param warnings warnings it gave
     */
    public record Step(int step, String name, long rows, long warnings) {}

    /**
     * A fault or warning.
     *
     * @param rowNumber line in the file, the header being 1; null when it concerns none
     * @param columnName column, or null
     * @param message what is wrong
     * @param issueType for example {@code INVALID_DATA}
     * @param severity {@code error} or {@code warning}
     */
    public record Issue(Long rowNumber, String columnName, String message, String issueType, String severity) {}
}
