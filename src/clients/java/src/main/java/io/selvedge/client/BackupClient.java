package io.selvedge.client;

import static io.selvedge.client.OperatorClient.OPERATOR;
import static io.selvedge.client.OperatorClient.org;
import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Backup;
import io.selvedge.client.model.Page;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Whole organizations taken out: the backups that the service makes by itself, where a bucket is bound for them (else the
 * calls are answered with 409), and the lines and contents that {@code selvedge operator backup} makes an archive of.
 *
 * <pre>{@code
 * operator.backups().begin("acme");
 * Backup newest = operator.backups().list(ListQuery.all()).results().get(0);
 * operator.backups().download(newest.organizationId(), newest.id(), Path.of("acme.selvedge"));
 * }</pre>
 */
public final class BackupClient {

    private static final String BACKUPS = "backups";
    private static final String EXPORT = "export";

    private final Pipeline pipeline;

    BackupClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** One page of the backups that are kept, those of deleted organizations among them. */
    public Page<Backup> list(ListQuery query) {
        return await(pipeline.page(Call.get(OPERATOR, BACKUPS), query, Backup.class));
    }

    /** Saves an organization now, in the background; one that is under way goes on. */
    public void begin(String slug) {
        await(pipeline.send(org(Call::postIdempotent, slug, BACKUPS)));
    }

    /** Downloads a backup, as {@code selvedge operator restore} takes it, into a file, which is there whole or not at all. */
    public void download(String organizationId, String id, Path target) {
        await(pipeline.send(backup(organizationId, id), response -> {
            Download.toFile(response.body(), target);
            return null;
        }));
    }

    /** Downloads a backup into a stream, which the caller closes. A download that breaks off midway is not repeated. */
    public void download(String organizationId, String id, OutputStream target) {
        await(toStream(backup(organizationId, id), target));
    }

    /**
     * Writes what an organization has but the contents of its files, a JSON object a line, into a stream, which the caller
     * closes: pages of lines, each ended by a mark, as many as one call answers. Where the last mark has an
     * {@code after}, the next call goes on behind it.
     *
     * @param after of the last mark, null for the beginning
     * @param secrets {@code without}, {@code sealed} or, for archives that are encrypted, {@code open}; null for without
     */
    public void lines(String slug, String after, String secrets, OutputStream target) {
        Query query = Query.NONE.and("after", after).and("secrets", secrets);
        await(toStream(org(Call::get, slug, EXPORT).query(query), target));
    }

    /** Writes the content of a file of an organization, from a byte on, into a stream, which the caller closes. */
    public void content(String slug, String fileId, long from, OutputStream target) {
        Call call = org(Call::get, slug, EXPORT, "files", fileId);
        await(toStream(from == 0 ? call : call.header("Range", "bytes=" + from + "-"), target));
    }

    private static Call backup(String organizationId, String id) {
        return Call.get(OPERATOR, BACKUPS, organizationId, id).kind(Call.Kind.DOWNLOAD);
    }

    private CompletableFuture<Void> toStream(Call call, OutputStream target) {
        return pipeline.send(call.kind(Call.Kind.DOWNLOAD), response -> {
            Download.toStream(response.body(), target);
            return null;
        });
    }
}
