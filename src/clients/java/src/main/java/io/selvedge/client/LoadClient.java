package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.FileRecord;
import io.selvedge.client.model.LoaderConfig;
import io.selvedge.client.model.LoaderProcess;
import io.selvedge.client.model.Page;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Loads CSV files.
 *
 * <pre>{@code
 * try {
 *     LoaderProcess done = client.loads().run(Path.of("items.csv"), config,
 *         load -> System.out.println(load.progress().percent() + " %"));
 *     System.out.println(done.results());
 * } catch (LoadException e) {
 *     e.getIssues().forEach(System.err::println);
 * }
 * }</pre>
 */
public final class LoadClient {

    private static final String LOADS = "loader-processes";
    private static final int INVALID = 400;

    private final Pipeline pipeline;
    private final FileClient files;

    LoadClient(Pipeline pipeline, FileClient files) {
        this.pipeline = pipeline;
        this.files = files;
    }

    /** Starts a load of a file that has been uploaded ({@code fileLocation}). */
    public LoaderProcess start(LoaderConfig config) {
        return await(pipeline.send(Call.post(LOADS).body(Json.WIRE.body(config)), LoaderProcess.class));
    }

    /**
     * What is wrong with a configuration, before there is a file to load with it; nothing is written.
     *
     * @return every fault, empty when there is none
     */
    public List<FieldError> check(LoaderConfig config) {
        try {
            refuseFaults(config);
            return List.of();
        } catch (ApiException refused) {
            if (refused.getStatus() != INVALID || refused.getErrors().isEmpty()) {
                throw refused;
            }
            return refused.getErrors();
        }
    }

    private void refuseFaults(LoaderConfig config) {
        Map<String, Object> withoutFile = new LinkedHashMap<>(config.properties());
        withoutFile.remove("fileLocation");
        // Without a key: one of the caller's belongs to the load itself.
        await(pipeline.send(Call.postIdempotent(LOADS, "check").body(Json.WIRE.body(withoutFile))));
    }

    /** How far a load has come. */
    public LoaderProcess get(String id) {
        return await(pipeline.send(Call.get(LOADS, id), LoaderProcess.class));
    }

    /** One page of loads. */
    public Page<LoaderProcess> list(ListQuery query) {
        return await(pipeline.page(Call.get(LOADS), query, LoaderProcess.class));
    }

    /** Asks a load to stop; what it has committed stays. */
    public LoaderProcess cancel(String id) {
        return await(pipeline.send(Call.post(LOADS, id, "cancel"), LoaderProcess.class));
    }

    /**
     * Starts a load and waits for its end.
     *
     * @param progress is told the state at every look, the last one included
     * @throws LoadException when the load failed or was cancelled
     */
    public LoaderProcess run(LoaderConfig config, Consumer<? super LoaderProcess> progress) {
        return ended(start(config).id(), progress);
    }

    /**
     * Uploads a CSV file, loads it and waits for the end of the load. A configuration that is refused is refused before
     * the upload.
     *
     * <p>Under {@link SelvedgeClient#withIdempotencyKey} it can be run again, even by a program that was restarted: the
     * same file with the same name and configuration is the first load, which is waited for, and is not uploaded again.
     *
     * @throws ApiException with status 400 and every fault when the configuration is not valid, with status 409 when the
     *     key was used for another file or configuration
     * @throws LoadException when the load failed or was cancelled
     */
    public LoaderProcess run(Path csv, LoaderConfig config, Consumer<? super LoaderProcess> progress) {
        refuseFaults(config);
        FileRecord file = pipeline.idempotencyKey()
                .map(key -> files.uploadOnce(csv, key))
                .orElseGet(() -> files.upload(csv));
        return run(config.withFileLocation(file.id()), progress);
    }

    /**
     * Waits for the end of a load that runs already.
     *
     * @throws LoadException when the load failed or was cancelled
     */
    public LoaderProcess waitFor(String id, Consumer<? super LoaderProcess> progress) {
        return ended(id, progress);
    }

    private LoaderProcess ended(String id, Consumer<? super LoaderProcess> progress) {
        LoaderProcess load = Looks.until(() -> get(id), LoaderProcess::isEnded, progress);
        if (!load.isCompleted()) {
            throw new LoadException(load);
        }
        return load;
    }
}
