package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.LoaderConfig;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Exports everything that fits a query, of any size: as CSV, as CSV that loads back, or as JSON lines.
 *
 * <pre>{@code
 * client.exports().csvForLoad("color", ListQuery.all(), Path.of("colors.csv"));
 * LoaderConfig config = client.exports().configuration("color", ListQuery.all());
 * client.loads().run(Path.of("colors.csv"), config, load -> {});
 * }</pre>
 *
 * <p>Of the query, criteria, search and order count. Where properties are named, only these are exported; {@code federatedId} is
 * always there. Loading a {@code csvForLoad} again under its configuration changes nothing; an edited copy changes what was edited.
 */
public final class ExportClient {

    private static final String EXPORT = "export";
    private static final String CSV = "csv";
    private static final String CSV_FOR_LOAD = "csv-load";
    private static final String JSON_LINES = "jsonl";

    private final Pipeline pipeline;

    ExportClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** As CSV into a file, which is there whole or not at all; one that exists is replaced. */
    public void csv(String entityName, ListQuery query, Path target, String... properties) {
        await(toFile(entityName, query, CSV, target, properties));
    }

    /** As CSV into a stream, which the caller closes. An export that breaks off is a {@link SelvedgeException}. */
    public void csv(String entityName, ListQuery query, OutputStream target, String... properties) {
        await(toStream(entityName, query, CSV, target, properties));
    }

    /** As CSV to edit and load back under {@link #configuration}, into a file. */
    public void csvForLoad(String entityName, ListQuery query, Path target, String... properties) {
        await(toFile(entityName, query, CSV_FOR_LOAD, target, properties));
    }

    /** As CSV to edit and load back into a stream, which the caller closes. */
    public void csvForLoad(String entityName, ListQuery query, OutputStream target, String... properties) {
        await(toStream(entityName, query, CSV_FOR_LOAD, target, properties));
    }

    /** As JSON lines, an entity each, into a file. */
    public void jsonLines(String entityName, ListQuery query, Path target, String... properties) {
        await(toFile(entityName, query, JSON_LINES, target, properties));
    }

    /** As JSON lines into a stream, which the caller closes. */
    public void jsonLines(String entityName, ListQuery query, OutputStream target, String... properties) {
        await(toStream(entityName, query, JSON_LINES, target, properties));
    }

    /**
     * The configuration under which loading {@link #csvForLoad} again, with the same properties, changes nothing.
     *
     * @throws ApiException with status 409 where no load can write these entities, and why
     */
    public LoaderConfig configuration(String entityName, ListQuery query, String... properties) {
        Call call = Call.get(entityName, EXPORT).query(query(query, "configuration", properties));
        return await(pipeline.send(call, response -> LoaderConfig.of(Json.WIRE.read(response, Json.mapType()))));
    }

    private CompletableFuture<Void> toFile(
            String entityName, ListQuery query, String format, Path target, String... properties) {
        return pipeline.send(call(entityName, query, format, properties), response -> {
            Download.toFile(WholeBody.of(response.body(), format), target);
            return null;
        });
    }

    private CompletableFuture<Void> toStream(
            String entityName, ListQuery query, String format, OutputStream target, String... properties) {
        return pipeline.send(call(entityName, query, format, properties), response -> {
            Download.toStream(WholeBody.of(response.body(), format), target);
            return null;
        });
    }

    private static Call call(String entityName, ListQuery query, String format, String... properties) {
        return Call.get(entityName, EXPORT).query(query(query, format, properties)).kind(Call.Kind.DOWNLOAD);
    }

    private static Query query(ListQuery query, String format, String... properties) {
        String only = properties.length == 0 ? null : String.join(",", properties);
        return query.toExportQuery().and("properties", only).and("format", format);
    }
}
