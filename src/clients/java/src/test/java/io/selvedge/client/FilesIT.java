package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.FileRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the real service. */
class FilesIT {

    private static final int MEBIBYTE = 1 << 20;

    private static SelvedgeClient client;

    @TempDir
    Path folder;

    @BeforeAll
    static void login() {
        client = RunningService.get().login();
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] content(String id) {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        client.files().download(id, target);
        return target.toByteArray();
    }

    @Test
    void aFileGoesUpAndComesBack() throws IOException {
        Path source = Files.writeString(folder.resolve("items.csv"), "name\nShirt\n");

        FileRecord file = client.files().upload(source);
        client.files().download(file.id(), folder.resolve("copy.csv"));

        assertEquals("items.csv", file.fileName());
        assertEquals("text/csv", file.contentType());
        assertTrue(file.isReady());
        assertEquals(11, file.size());
        assertEquals(file, client.files().get(file.id()));
        assertEquals("name\nShirt\n", Files.readString(folder.resolve("copy.csv")));
    }

    @Test
    void bytesAndAnEmptyFileGoUpToo() {
        byte[] bytes = random(3 * MEBIBYTE);

        assertArrayEquals(
                bytes,
                content(client.files()
                        .upload(bytes, "a.bin", "application/octet-stream")
                        .id()));
        assertArrayEquals(
                new byte[0],
                content(client.files()
                        .upload(new byte[0], "empty", "text/plain")
                        .id()));
    }

    @Test
    void aPartOfAFileComesBack() {
        byte[] bytes = random(100);
        String id = client.files().upload(bytes, "a.bin", "application/octet-stream").id();
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        client.files().download(id, 10, 19, target);
        client.files().download(id, 90, 1000, target);

        byte[] parts = target.toByteArray();
        assertEquals(20, parts.length);
        assertArrayEquals(Arrays.copyOfRange(bytes, 10, 20), Arrays.copyOfRange(parts, 0, 10));
        assertArrayEquals(Arrays.copyOfRange(bytes, 90, 100), Arrays.copyOfRange(parts, 10, 20));
        assertEquals(
                416,
                assertThrows(ApiException.class, () -> client.files().download(id, 100, 200, target))
                        .getStatus());
    }

    @Test
    void aLongStreamGoesInParts() {
        byte[] bytes = random(20 * MEBIBYTE + 1);

        FileRecord file =
                client.files().upload(new ByteArrayInputStream(bytes), "long.bin", "application/octet-stream");

        assertEquals(bytes.length, file.size());
        assertArrayEquals(bytes, content(file.id()));
    }

    @Test
    void filesAreListedAndDeleted() {
        FileRecord file =
                client.files().upload(random(10), "gone.bin", "image/png");

        assertTrue(client.files().list(ListQuery.all().limit(1000)).results().stream()
                .anyMatch(listed -> listed.id().equals(file.id())));
        client.files().delete(file.id());
        assertEquals(
                404,
                assertThrows(ApiException.class, () -> client.files().get(file.id()))
                        .getStatus());
        assertEquals(
                404, assertThrows(ApiException.class, () -> content(file.id())).getStatus());
    }
}
