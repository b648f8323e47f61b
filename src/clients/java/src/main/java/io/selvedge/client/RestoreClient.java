package io.selvedge.client;

import static io.selvedge.client.OperatorClient.OPERATOR;
import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.NewRestore;
import io.selvedge.client.model.Restore;
import io.selvedge.client.transport.RequestBody;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Organizations brought back from archives, part by part: the calls that {@code selvedge operator restore} is made of. Parts
 * are numbered from 0 and come in order: a page of lines with its mark, and behind it the contents of the files that it tells
 * of. A part that was taken already is answered without being taken again, so that a restore goes on wherever it broke off.
 *
 * <pre>{@code
 * Restore restore = operator.restores().begin(NewRestore.of(end, digest));
 * restore = operator.restores().sendLines(restore.id(), 0, page);
 * while (!restore.isComplete()) {
 *     restore = operator.restores().complete(restore.id());
 * }
 * }</pre>
 */
public final class RestoreClient {

    private static final String RESTORES = "restores";
    private static final String LINES = "application/x-ndjson";
    private static final String BYTES = "application/octet-stream";

    private final Pipeline pipeline;

    RestoreClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Begins a restore, or goes on with one of the same archive. */
    public Restore begin(NewRestore restore) {
        return await(pipeline.send(Call.post(OPERATOR, RESTORES).body(Json.WIRE.body(restore)), Restore.class));
    }

    /** How far a restore is. */
    public Restore get(String id) {
        return await(pipeline.send(Call.get(OPERATOR, RESTORES, id), Restore.class));
    }

    /** Sends a page of lines with its mark. */
    public Restore sendLines(String id, int part, byte[] page) {
        return await(send(id, part, RequestBody.ofBytes(LINES, page), Query.NONE));
    }

    /**
     * Sends a piece of the content of a file.
     *
     * @param piece its number, from 1 on
     * @param isLast whether it is the last; all others have 8 MiB
     */
    public Restore sendPiece(String id, int part, String fileId, int piece, boolean isLast, byte[] content) {
        Query query = Query.of("fileId", fileId).and("piece", piece).and("isLast", isLast);
        return await(send(id, part, RequestBody.ofBytes(BYTES, content), query));
    }

    /** Says that a file was deleted while the archive was made, so that it has no content. */
    public Restore sendGone(String id, int part, String fileId) {
        Query query = Query.of("fileId", fileId).and("isGone", true);
        return await(send(id, part, RequestBody.ofBytes(BYTES, new byte[0]), query));
    }

    /** Does a bounded piece of what is left; to be repeated until {@link Restore#isComplete()}. */
    public Restore complete(String id) {
        return complete(id, null);
    }

    /** {@link #complete(String)} under another name, should the one asked for have been taken meanwhile. */
    public Restore complete(String id, String slug) {
        Map<String, Object> body = new HashMap<>();
        if (slug != null) {
            body.put("slug", slug);
        }
        return await(pipeline.send(
                Call.post(OPERATOR, RESTORES, id, "complete").body(Json.WIRE.body(body)), Restore.class));
    }

    /** Gives a restore up, with everything that was sent. */
    public void abandon(String id) {
        await(pipeline.send(Call.delete(OPERATOR, RESTORES, id)));
    }

    private CompletableFuture<Restore> send(String id, int part, RequestBody content, Query query) {
        Call call = Call.put(OPERATOR, RESTORES, id, "parts", Integer.toString(part));
        return pipeline.send(call.query(query).body(content).kind(Call.Kind.UPLOAD), Restore.class);
    }
}
