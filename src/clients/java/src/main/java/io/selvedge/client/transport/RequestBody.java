package io.selvedge.client.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The body of a request. It can be opened as often as the request is sent, so every request can be repeated.
 */
public interface RequestBody {

    /**
     * The media type of the body.
     *
     * @return value of the {@code Content-Type} header
     */
    String contentType();

    /**
     * The length of the body.
     *
     * @return number of bytes that {@link #open()} yields
     */
    long length();

    /**
     * Opens the body from its beginning.
     *
     * @return a new stream that the caller closes
     * @throws IOException when the source cannot be read
     */
    InputStream open() throws IOException;

    /**
     * A body held in memory.
     *
     * @param contentType media type
     * @param bytes content; must not be changed afterwards
     * @return the body
     */
    static RequestBody ofBytes(String contentType, byte[] bytes) {
        return of(contentType, bytes.length, () -> new ByteArrayInputStream(bytes));
    }

    /**
     * A body read from a file whenever it is sent.
     *
     * @param contentType media type
     * @param file a readable file
     * @return the body
     * @throws IOException when the file does not exist or its size cannot be read
     */
    static RequestBody ofFile(String contentType, Path file) throws IOException {
        return of(contentType, Files.size(file), () -> Files.newInputStream(file));
    }

    private static RequestBody of(String contentType, long length, Source source) {
        Objects.requireNonNull(contentType, "contentType");
        return new RequestBody() {
            @Override
            public String contentType() {
                return contentType;
            }

            @Override
            public long length() {
                return length;
            }

            @Override
            public InputStream open() throws IOException {
                return source.open();
            }
        };
    }

    /** Where the bytes of a body come from. */
    @FunctionalInterface
    interface Source {
        /**
         * Opens the source from its beginning.
         *
         * @return a new stream
         * @throws IOException when it cannot be read
         */
        InputStream open() throws IOException;
    }
}
