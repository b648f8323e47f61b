package io.selvedge.client.model;

import java.time.Instant;
import java.util.Map;

/**
 * One run of a workflow (event-workflow-process).
 *
 * @param id identifier
 * @param eventWorkflowId the workflow that runs
 * @param triggerKey what it was started by
 * @param status {@code pending}, {@code active}, {@code awaiting}, {@code complete}, {@code failed} or
 *     {@code cancelled}
 * @param triggerEvent what started it
 * @param taskOutputs outputs of the tasks so far, by task name
 * @param subtext short text on the latest state, or null
 * @param startedOn when it began, or null
 * @param endedOn when it ended, or null
 * @param error why it failed, or null
 */
public record WorkflowProcess(
        String id,
        String eventWorkflowId,
        String triggerKey,
        String status,
        Map<String, Object> triggerEvent,
        Map<String, Object> taskOutputs,
        String subtext,
        Instant startedOn,
        Instant endedOn,
        Fault error) {

    /** Reads absent maps as empty ones. */
    public WorkflowProcess {
        triggerEvent = Lists.orEmpty(triggerEvent);
        taskOutputs = Lists.orEmpty(taskOutputs);
    }

    /**
     * Why a run failed.
     *
     * @param code what went wrong, in a form that can be compared
     * @param detail what went wrong, for people
     */
    public record Fault(String code, String detail) {}

    /** Whether nothing more will happen. */
    public boolean isEnded() {
        return "complete".equals(status) || "failed".equals(status) || "cancelled".equals(status);
    }
}
