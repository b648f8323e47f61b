package io.selvedge.client.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Ends an async task. Immutable; each step returns a new callback.
 *
 * <pre>{@code
 * TaskCallback.success(taskId).log("42 records sent").output(Map.of("sent", 42)).subtext("done")
 * }</pre>
 *
 * @param taskId the task
 * @param status {@code SUCCESS} or {@code FAILURE}
 * @param logs lines to append, null for none
 * @param output merged into the task's output and stronger than it, null for none
 * @param subtext new subtext of task and process, null to leave it
 */
public record TaskCallback(
        String taskId, String status, List<String> logs, Map<String, Object> output, String subtext) {

    /** The task succeeded and the workflow goes on. */
    public static TaskCallback success(String taskId) {
        return new TaskCallback(taskId, "SUCCESS", null, null, null);
    }

    /** The task failed, and the workflow run with it. */
    public static TaskCallback failure(String taskId) {
        return new TaskCallback(taskId, "FAILURE", null, null, null);
    }

    /** Appends lines to the task's log. */
    public TaskCallback log(String... lines) {
        List<String> more = new ArrayList<>(logs == null ? List.of() : logs);
        more.addAll(List.of(lines));
        return new TaskCallback(taskId, status, List.copyOf(more), output, subtext);
    }

    /** Sets what is merged into the task's output. */
    public TaskCallback output(Map<String, Object> values) {
        return new TaskCallback(taskId, status, logs, Lists.orEmpty(values), subtext);
    }

    /** Sets the subtext of the task and its process. */
    public TaskCallback subtext(String text) {
        return new TaskCallback(taskId, status, logs, output, text);
    }
}
