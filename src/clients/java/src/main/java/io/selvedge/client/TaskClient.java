package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Page;
import io.selvedge.client.model.TaskCallback;
import io.selvedge.client.model.WorkflowTask;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Workflow tasks and the callback that ends those that wait.
 *
 * <pre>{@code
 * client.tasks().setSubtext(taskId, "half way");
 * client.tasks().callback(TaskCallback.success(taskId).log("all sent"));
 * }</pre>
 *
 * <p>An external system that was called by a task holds a token good for that task alone; it builds its client with
 * {@code SelvedgeClient.builder().callback(callbackUrl, callbackToken).build()}.
 */
public final class TaskClient {

    private static final String TASKS = "event-workflow-tasks";

    private final Pipeline pipeline;

    TaskClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Makes a free-standing task that waits for its callback for seven days, to try an integration with. */
    public WorkflowTask create(String name) {
        return await(created(Map.of("name", name, "async", true)));
    }

    /** Makes a free-standing task that fails when its callback has not come in time. */
    public WorkflowTask create(String name, Duration timeout) {
        return await(created(Map.of("name", name, "async", true, "timeoutSeconds", timeout.toSeconds())));
    }

    private CompletableFuture<WorkflowTask> created(Map<String, Object> task) {
        return pipeline.send(Call.post(TASKS).body(Json.WIRE.body(task)), WorkflowTask.class);
    }

    /** One task. */
    public WorkflowTask get(String id) {
        return await(pipeline.send(Call.get(TASKS, id), WorkflowTask.class));
    }

    /** One page of tasks, for example {@code ListQuery.all().where("processId", id)}. */
    public Page<WorkflowTask> list(ListQuery query) {
        return await(pipeline.page(Call.get(TASKS), query, WorkflowTask.class));
    }

    /** Sets the subtext of a task and of its process. */
    public WorkflowTask setSubtext(String id, String subtext) {
        return await(
                pipeline.send(Call.put(TASKS, id).body(Json.WIRE.body(Map.of("subtext", subtext))), WorkflowTask.class));
    }

    /**
     * Ends a task that waits. Sending the same callback again changes nothing and returns the task as recorded.
     *
     * @throws ApiException with status 404 when there is no such task, 409 when it does not wait
     */
    public WorkflowTask callback(TaskCallback callback) {
        return await(pipeline.send(
                Call.postIdempotent("external-events", "callback").body(Json.WIRE.body(callback)), WorkflowTask.class));
    }
}
