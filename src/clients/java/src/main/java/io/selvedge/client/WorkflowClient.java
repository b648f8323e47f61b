package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Page;
import io.selvedge.client.model.Webhook;
import io.selvedge.client.model.WorkflowProcess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Starts workflows and watches their runs. Workflows themselves are entities:
 * {@code entities().create("event-workflow", …)}.
 *
 * <pre>{@code
 * for (WorkflowProcess run : client.workflows().request("order|ready", Map.of("orderId", 7))) {
 *     System.out.println(run.id() + " " + run.status());
 * }
 * }</pre>
 */
public final class WorkflowClient {

    private static final String PROCESSES = "event-workflow-processes";

    private final Pipeline pipeline;

    WorkflowClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Starts every active workflow with this trigger key and returns the runs. */
    public List<WorkflowProcess> request(String triggerKey, Map<String, ?> event) {
        return await(requestAsync(triggerKey, event));
    }

    /** {@link #request} without waiting. */
    public CompletableFuture<List<WorkflowProcess>> requestAsync(String triggerKey, Map<String, ?> event) {
        Call call = Call.post("event-workflow-requests")
                .body(Json.WIRE.body(Map.of("triggerKey", triggerKey, "event", event)));
        return pipeline.results(call, Json.WIRE, Json.type(WorkflowProcess.class));
    }

    /** One run. */
    public WorkflowProcess process(String id) {
        return await(processAsync(id));
    }

    /** {@link #process} without waiting. */
    public CompletableFuture<WorkflowProcess> processAsync(String id) {
        return pipeline.send(Call.get(PROCESSES, id), WorkflowProcess.class);
    }

    /** One page of runs. */
    public Page<WorkflowProcess> processes(ListQuery query) {
        return await(processesAsync(query));
    }

    /** {@link #processes} without waiting. */
    public CompletableFuture<Page<WorkflowProcess>> processesAsync(ListQuery query) {
        return pipeline.page(Call.get(PROCESSES), query, WorkflowProcess.class);
    }

    /** Stops a run; tasks that have not begun do not run. */
    public WorkflowProcess cancel(String processId) {
        return await(cancelAsync(processId));
    }

    /** {@link #cancel} without waiting. */
    public CompletableFuture<WorkflowProcess> cancelAsync(String processId) {
        return pipeline.send(Call.post(PROCESSES, processId, "cancel"), WorkflowProcess.class);
    }

    /**
     * Waits until a run is complete, failed or cancelled; look at its status.
     *
     * @param progress is told the state at every look, the last one included
     */
    public WorkflowProcess waitFor(String processId, Consumer<? super WorkflowProcess> progress) {
        return Looks.until(() -> process(processId), WorkflowProcess::isEnded, progress);
    }

    /** {@link #waitFor} without waiting. */
    public CompletableFuture<WorkflowProcess> waitForAsync(
            String processId, Consumer<? super WorkflowProcess> progress) {
        return Threads.background("workflow", () -> waitFor(processId, progress));
    }

    /**
     * Makes an address that outside systems call without credentials to start workflows. It is shown this once, so the
     * call is never repeated by the client.
     */
    public Webhook createWebhook(String name) {
        return await(createWebhookAsync(name));
    }

    /** {@link #createWebhook} without waiting. */
    public CompletableFuture<Webhook> createWebhookAsync(String name) {
        return pipeline.send(Call.postOnce("webhooks").body(Json.WIRE.body(Map.of("name", name))), Webhook.class);
    }
}
