package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.LoaderConfig;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Exports everything that fits a query, of any size: as CSV that can be loaded again, or as JSON lines.
 *
 * <pre>{@code
 * client.exports().csv("color", ListQuery.all(), Path.of("colors.csv"));
 * LoaderConfig config = client.exports().configuration("color", ListQuery.all());
 * client.loads().run(Path.of("colors.csv"), config, load -> {});
 * }</pre>
 *
 * <p>Of the query, criteria, search and order count. Loading an export again under its configuration changes nothing; loading
 * an edited copy changes what was edited.
 */
public final class ExportClient {

    private static final String EXPORT = "export";

    private final Pipeline pipeline;

    ExportClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** As CSV into a file, which is there whole or not at all; one that exists is replaced. */
    public void csv(String entityName, ListQuery query, Path target) {
        await(csvAsync(entityName, query, target));
    }

    /** {@link #csv(String, ListQuery, Path)} without waiting. */
    public CompletableFuture<Void> csvAsync(String entityName, ListQuery query, Path target) {
        return toFile(entityName, query, "csv", target);
    }

    /** As CSV into a stream, which the caller closes. An export that breaks off is a {@link SelvedgeException}. */
    public void csv(String entityName, ListQuery query, OutputStream target) {
        await(toStream(entityName, query, "csv", target));
    }

    /** As JSON lines, an entity each, into a file. */
    public void jsonLines(String entityName, ListQuery query, Path target) {
        await(toFile(entityName, query, "jsonl", target));
    }

    /** As JSON lines into a stream, which the caller closes. */
    public void jsonLines(String entityName, ListQuery query, OutputStream target) {
        await(toStream(entityName, query, "jsonl", target));
    }

    /**
     * The configuration under which loading the CSV again changes nothing.
     *
     * @throws ApiException with status 409 where no load can write these entities, and why
     */
    public LoaderConfig configuration(String entityName, ListQuery query) {
        Map<String, ?> properties = await(pipeline.send(
                Call.get(entityName, EXPORT).query(query(query, "configuration")), Json.WIRE, Json.type(Map.class)));
        return LoaderConfig.of(properties);
    }

    private CompletableFuture<Void> toFile(String entityName, ListQuery query, String format, Path target) {
        return pipeline.send(call(entityName, query, format), response -> {
            Download.toFile(response.body(), target);
            return null;
        });
    }

    private CompletableFuture<Void> toStream(String entityName, ListQuery query, String format, OutputStream target) {
        return pipeline.send(call(entityName, query, format), response -> {
            Download.toStream(response.body(), target);
            return null;
        });
    }

    private static Call call(String entityName, ListQuery query, String format) {
        return Call.get(entityName, EXPORT).query(query(query, format)).kind(Call.Kind.DOWNLOAD);
    }

    private static Query query(ListQuery query, String format) {
        return query.toExportQuery().and("format", format);
    }
}
