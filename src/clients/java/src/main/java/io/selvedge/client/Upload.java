package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.FileRecord;
import io.selvedge.client.transport.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Brings content to the service: the record first and the bytes second, so that each request is safe to repeat. What is
 * large or of unknown length goes in parts (N26).
 */
final class Upload {

    private static final String FILES = "files";
    private static final String BINARY = "application/octet-stream";
    /** The most that the service takes in one request. */
    private static final long MAX_WHOLE_BYTES = 100_000_000;
    /** The size of parts that the service asks for. */
    private static final int PART_BYTES = 8 << 20;
    /** Keeps the line busy; each part under way is held in memory. */
    private static final int PARTS_UNDER_WAY = 3;

    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    private final Pipeline pipeline;
    private final long maxWholeBytes;
    private final int partBytes;

    Upload(Pipeline pipeline) {
        this(pipeline, MAX_WHOLE_BYTES, PART_BYTES);
    }

    Upload(Pipeline pipeline, long maxWholeBytes, int partBytes) {
        this.pipeline = pipeline;
        this.maxWholeBytes = maxWholeBytes;
        this.partBytes = partBytes;
    }

    FileRecord send(String fileName, RequestBody content) throws IOException {
        return fill(created(pipeline, fileName, content.contentType()).id(), content);
    }

    /** The same file for the same content under the same key; what it has of it already is not sent again. */
    FileRecord sendOnce(String fileName, RequestBody content, String key) throws IOException {
        FileRecord made = created(
                pipeline.withIdempotencyKey(ContentKey.of(key, content)), fileName, content.contentType());
        Optional<FileRecord> present = present(made.id());
        // Deleted since, it has been used: whoever asks for it again is answered by its first use.
        return present.isPresent() && !present.get().isReady() ? fill(made.id(), content) : present.orElse(made);
    }

    FileRecord send(String fileName, String contentType, InputStream content) throws IOException {
        byte[] first = content.readNBytes(partBytes);
        String id = created(pipeline, fileName, contentType).id();
        return first.length < partBytes
                ? whole(id, RequestBody.ofBytes(contentType, first))
                : inParts(id, first, content);
    }

    private FileRecord fill(String id, RequestBody content) throws IOException {
        if (content.length() <= maxWholeBytes) {
            return whole(id, content);
        }
        try (InputStream in = content.open()) {
            return inParts(id, in.readNBytes(partBytes), in);
        }
    }

    /** The answer under a key is the first one, so it does not tell what became of the file. */
    private Optional<FileRecord> present(String id) {
        try {
            return Optional.of(await(pipeline.send(Call.get(FILES, id), FileRecord.class)));
        } catch (ApiException e) {
            if (e.getStatus() != NOT_FOUND) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private FileRecord whole(String id, RequestBody content) {
        Call put = Call.put(FILES, id, "content").body(content).kind(Call.Kind.UPLOAD);
        try {
            return await(pipeline.send(put, FileRecord.class));
        } catch (ApiException e) {
            return arrivedAlready(id, e);
        }
    }

    /** Nobody else knows the new id, so content that is there already came from an attempt whose answer was lost. */
    private FileRecord arrivedAlready(String id, ApiException refusal) {
        if (refusal.getStatus() != CONFLICT) {
            throw refusal;
        }
        FileRecord file = await(pipeline.send(Call.get(FILES, id), FileRecord.class));
        if (!file.isReady()) {
            throw refusal;
        }
        return file;
    }

    private FileRecord inParts(String id, byte[] first, InputStream rest) throws IOException {
        Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
        try {
            byte[] part = first;
            for (int number = 1; part.length > 0; number++) {
                if (underWay.size() == PARTS_UNDER_WAY) {
                    await(underWay.remove());
                }
                underWay.add(sendPart(id, number, part));
                part = rest.readNBytes(partBytes);
            }
            while (!underWay.isEmpty()) {
                await(underWay.remove());
            }
        } finally {
            underWay.forEach(part -> part.cancel(true));
        }
        return await(pipeline.send(Call.post(FILES, id, "complete"), FileRecord.class));
    }

    private static FileRecord created(Pipeline pipeline, String fileName, String contentType) {
        record NewFile(String fileName, String contentType) {}
        RequestBody file = Json.WIRE.body(new NewFile(fileName, contentType));
        return await(pipeline.send(Call.post(FILES).body(file), FileRecord.class));
    }

    private CompletableFuture<Void> sendPart(String id, int number, byte[] bytes) {
        return pipeline.send(Call.postIdempotent(FILES, id, "parts")
                .query(Query.of("partNumber", number))
                .body(RequestBody.ofBytes(BINARY, bytes))
                .kind(Call.Kind.UPLOAD));
    }
}
