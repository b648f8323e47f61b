package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.FileRecord;
import io.selvedge.client.model.Page;
import io.selvedge.client.transport.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Uploads and downloads files of any size; large ones go in parts by themselves.
 *
 * <pre>{@code
 * FileRecord file = client.files().upload(Path.of("items.csv"));
 * client.files().download(file.id(), Path.of("copy.csv"));
 * }</pre>
 */
public final class FileClient {

    private static final String FILES = "files";
    private static final String BINARY = "application/octet-stream";

    private final Pipeline pipeline;
    private final Upload upload;

    FileClient(Pipeline pipeline) {
        this(pipeline, new Upload(pipeline));
    }

    FileClient(Pipeline pipeline, Upload upload) {
        this.pipeline = pipeline;
        this.upload = upload;
    }

    /** Uploads a file under its own name, with the media type that the name suggests. */
    public FileRecord upload(Path file) {
        String name = file.getFileName().toString();
        return upload(file, name, suggestedType(name));
    }

    /** Uploads a file under another name. */
    public FileRecord upload(Path file, String fileName, String contentType) {
        return sent(file, () -> upload.send(fileName, RequestBody.ofFile(contentType, file)));
    }

    /** {@link #upload(Path)}, or the file that was made of the same content under this key before. */
    FileRecord uploadOnce(Path file, String key) {
        String name = file.getFileName().toString();
        return sent(file, () -> upload.sendOnce(name, RequestBody.ofFile(suggestedType(name), file), key));
    }

    /** An upload, which fails in no other way than by its source. */
    @FunctionalInterface
    private interface Sending {
        FileRecord run() throws IOException;
    }

    private static FileRecord sent(Object source, Sending upload) {
        try {
            return upload.run();
        } catch (IOException e) {
            throw new SelvedgeException("cannot read " + source + ": " + e, e);
        }
    }

    /** Uploads bytes. */
    public FileRecord upload(byte[] content, String fileName, String contentType) {
        return sent("the content of " + fileName, () -> upload.send(fileName, RequestBody.ofBytes(contentType, content)));
    }

    /** Uploads a stream of any length to its end, holding a few parts of it in memory; the caller closes it. */
    public FileRecord upload(InputStream content, String fileName, String contentType) {
        return sent("the content of " + fileName, () -> upload.send(fileName, contentType, content));
    }

    /** What is known about a file. */
    public FileRecord get(String id) {
        return await(pipeline.send(Call.get(FILES, id), FileRecord.class));
    }

    /** One page of files. */
    public Page<FileRecord> list(ListQuery query) {
        return await(pipeline.page(Call.get(FILES), query, FileRecord.class));
    }

    /** Downloads into a file, which is there whole or not at all; one that exists is replaced. */
    public void download(String id, Path target) {
        await(pipeline.send(content(id), response -> {
            Download.toFile(response.body(), target);
            return null;
        }));
    }

    /** Downloads into a stream, which the caller closes. A download that breaks off midway is not repeated. */
    public void download(String id, OutputStream target) {
        await(pipeline.send(content(id), response -> {
            Download.toStream(response.body(), target);
            return null;
        }));
    }

    /**
     * Downloads a part of a file into a stream, which the caller closes.
     *
     * @param first first byte, counted from 0
     * @param last last byte, included; past the end of the file it is the end
     * @throws ApiException with status 416 when the file ends before the first byte
     */
    public void download(String id, long first, long last, OutputStream target) {
        await(pipeline.send(content(id).header("Range", "bytes=" + first + "-" + last), response -> {
            Download.toStream(response.body(), target);
            return null;
        }));
    }

    /** Deletes a file and its content. A file that a load has yet to read is in use (409). */
    public void delete(String id) {
        await(pipeline.send(Call.delete(FILES, id)));
    }

    private static Call content(String id) {
        return Call.get(FILES, id, "content").kind(Call.Kind.DOWNLOAD);
    }

    private static String suggestedType(String name) {
        if (name.toLowerCase(Locale.ROOT).endsWith(".csv")) {
            return "text/csv";
        }
        return Optional.ofNullable(URLConnection.guessContentTypeFromName(name)).orElse(BINARY);
    }
}
