package io.selvedge.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Copies a body to its target. An IOException from here means that the body broke off and the download may be repeated;
 * what cannot be solved that way is a {@link SelvedgeException}.
 */
final class Download {

    private static final int BUFFER_BYTES = 64 << 10;

    private Download() {}

    /** Writes beside the target and moves at the end, so that nobody meets half a file. */
    static void toFile(InputStream body, Path target) throws IOException {
        Path whole = target.toAbsolutePath();
        Path partial = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = create(partial)) {
                copy(body, out);
            }
            // Whoever gave the download up after its last byte does not get the file any more.
            body.read();
            move(partial, whole);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    /** Never to be repeated: what has been written to the target cannot be taken back. */
    static void toStream(InputStream body, OutputStream target) {
        try {
            copy(body, target);
            target.flush();
        } catch (IOException broken) {
            throw new SelvedgeException("the download broke off", broken);
        }
    }

    private static void copy(InputStream body, OutputStream out) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            write(out, buffer, count);
        }
    }

    private static void write(OutputStream out, byte[] buffer, int count) {
        try {
            out.write(buffer, 0, count);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private static OutputStream create(Path file) {
        try {
            return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    private static SelvedgeException unwritable(IOException cause) {
        return new SelvedgeException("the target of the download cannot be written: " + cause, cause);
    }
}
