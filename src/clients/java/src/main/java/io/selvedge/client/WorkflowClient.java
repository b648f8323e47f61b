package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Page;
import io.selvedge.client.model.Webhook;
import io.selvedge.client.model.WorkflowProcess;
import java.util.List;
import java.util.Map;
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
        Call call = Call.post("event-workflow-requests")
                .body(Json.WIRE.body(Map.of("triggerKey", triggerKey, "event", event)));
        return await(pipeline.results(call, Json.WIRE, Json.type(WorkflowProcess.class)));
    }

    /** One run. */
    public WorkflowProcess process(String id) {
        return await(pipeline.send(Call.get(PROCESSES, id), WorkflowProcess.class));
    }

    /** One page of runs. */
    public Page<WorkflowProcess> processes(ListQuery query) {
        return await(pipeline.page(Call.get(PROCESSES), query, WorkflowProcess.class));
    }

    /** Stops a run; tasks that have not begun do not run. */
    public WorkflowProcess cancel(String processId) {
        return await(pipeline.send(Call.post(PROCESSES, processId, "cancel"), WorkflowProcess.class));
    }

    /**
     * Waits until a run is complete, failed or cancelled; look at its status.
     *
     * @param progress is told the state at every look, the last one included
     */
    public WorkflowProcess waitFor(String processId, Consumer<? super WorkflowProcess> progress) {
        return Looks.until(() -> process(processId), WorkflowProcess::isEnded, progress);
    }

    /**
     * Makes an address that outside systems call without credentials to start workflows. It is shown this once, so the
     * call is never repeated by the client.
     */
    public Webhook createWebhook(String name) {
        return await(
                pipeline.send(Call.postOnce("webhooks").body(Json.WIRE.body(Map.of("name", name))), Webhook.class));
    }
}
