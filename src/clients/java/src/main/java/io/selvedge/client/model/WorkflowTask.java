package io.selvedge.client.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One task of a workflow run, or a free-standing one (event-workflow-task).
 *
 * @param id identifier; {@code taskId} of a callback
 * @param name name
 * @param processId the run it belongs to, null for a free-standing task
 * @param status {@code pending}, {@code active}, {@code awaiting}, {@code complete}, {@code failed}, {@code cancelled}
 *     or {@code skipped}
 * @param action what it does
 * @param async whether it waits for a callback
 * @param logs lines, each with the time of its receipt in front
 * @param output output of the task merged with that of its callback
 * @param subtext short text on the latest state, or null
 * @param createdOn when it was made
 * @param startedOn when it began, or null
 * @param endedOn when it ended, or null
 * @param expiresOn when it stops to wait, or null
 * @param updatedOn when it last changed
 */
public record WorkflowTask(
        String id,
        String name,
        String processId,
        String status,
        String action,
        boolean async,
        List<String> logs,
        Map<String, Object> output,
        String subtext,
        Instant createdOn,
        Instant startedOn,
        Instant endedOn,
        Instant expiresOn,
        Instant updatedOn) {

    /** Reads absent lists and maps as empty ones. */
    public WorkflowTask {
        logs = Lists.orEmpty(logs);
        output = Lists.orEmpty(output);
    }

    /** Whether the task waits for its callback. */
    public boolean isAwaiting() {
        return "awaiting".equals(status);
    }
}
