package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Page;
import io.selvedge.client.model.RevertProcess;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Takes loads and changes back.
 *
 * <pre>{@code
 * RevertProcess revert = client.reverts().startForLoad(loadId, false);
 * RevertProcess done = client.reverts().waitFor(revert.id(), state -> {});
 * done.issues().forEach(System.out::println);
 * }</pre>
 */
public final class RevertClient {

    private static final String REVERTS = "revert-processes";

    private final Pipeline pipeline;

    RevertClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Starts to take a load back that has ended. */
    public RevertProcess startForLoad(String loadId, boolean dryRun) {
        return await(pipeline.send(
                Call.post("loader-processes", loadId, "revert").body(Json.WIRE.body(Map.of("dryRun", dryRun))),
                RevertProcess.class));
    }

    /**
     * Starts to take changes back.
     *
     * @param changes {@code criteria}, {@code since} and, if wanted, {@code until}, {@code dryRun} and {@code name}
     */
    public RevertProcess startForChanges(Map<String, ?> changes) {
        return await(pipeline.send(
                Call.post("change-history", "restore").body(Json.WIRE.body(changes)), RevertProcess.class));
    }

    /** How far a revert has come. */
    public RevertProcess get(String id) {
        return await(pipeline.send(Call.get(REVERTS, id), RevertProcess.class));
    }

    /** One page of reverts. */
    public Page<RevertProcess> list(ListQuery query) {
        return await(pipeline.page(Call.get(REVERTS), query, RevertProcess.class));
    }

    /** Asks a revert to stop; what it has taken back stays so. */
    public RevertProcess cancel(String id) {
        return await(pipeline.send(Call.post(REVERTS, id, "cancel"), RevertProcess.class));
    }

    /**
     * Waits for the end.
     *
     * @param progress is told the state at every look, the last one included
     * @throws RevertException when the revert failed or was cancelled
     */
    public RevertProcess waitFor(String id, Consumer<? super RevertProcess> progress) {
        RevertProcess revert = Looks.until(() -> get(id), RevertProcess::isEnded, progress);
        if (!revert.isCompleted()) {
            throw new RevertException(revert);
        }
        return revert;
    }
}
