package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.FakeService.Received;
import io.selvedge.client.model.FileRecord;
import io.selvedge.client.transport.HttpTransport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileClientTest {

    private static final String RECORD =
            "{\"id\":\"f1\",\"fileName\":\"items.csv\",\"contentType\":\"text/csv\",\"status\":\"ready\",\"size\":5}";

    private final FakeService service = new FakeService().always(FakeService.json(200, RECORD));
    private final SelvedgeClient client = service.client();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        service.close();
    }

    /** A client whose limits are small enough to test. */
    private FileClient small(int maxWholeBytes, int partBytes) {
        Settings settings = new Settings(
                BaseUrl.of(service.baseUrl()),
                Credentials.of("app:x", null, "demo"),
                new HttpTransport(Duration.ofSeconds(5)),
                new RetryPolicy(3, Duration.ofMillis(5), Duration.ofMillis(5), Duration.ofSeconds(1)),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Json.WIRE,
                new Bookmark(null));
        Pipeline pipeline = new Pipeline(settings);
        return new FileClient(pipeline, new Upload(pipeline, maxWholeBytes, partBytes));
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private byte[] joinedParts() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        service.requests.stream()
                .filter(request -> request.path().endsWith("/parts"))
                .sorted(Comparator.comparing(request -> Integer.valueOf(request.parameter("partNumber"))))
                .forEach(part -> whole.writeBytes(part.body()));
        return whole.toByteArray();
    }

    @Test
    void aFileIsCreatedAndThenItsContentPut() throws IOException {
        Path csv = Files.writeString(folder.resolve("items.csv"), "a,b\r\n");

        FileRecord file = client.files().upload(csv);

        Received create = service.requests.get(0);
        Received put = service.requests.get(1);
        assertEquals("f1", file.id());
        assertEquals(5, file.size());
        assertEquals("POST /api/files", create.line());
        assertEquals("items.csv", create.json().path("fileName").asText());
        assertEquals("text/csv", create.json().path("contentType").asText());
        assertEquals("PUT /api/files/f1/content", put.line());
        assertEquals("text/csv", put.header("Content-type"));
        assertEquals("5", put.header("Content-length"), "the service cannot store a stream of unknown length");
        assertEquals("a,b\r\n", put.text());
    }

    @Test
    void anEmptyFileIsUploadedToo() throws IOException {
        client.files().upload(Files.createFile(folder.resolve("empty.bin")));

        assertEquals(0, service.last().body().length);
        assertEquals("application/octet-stream", service.last().header("Content-type"));
    }

    @Test
    void anUploadThatBrokeIsRepeatedFromItsBeginning() throws IOException {
        byte[] content = random(300_000);
        Path file = Files.write(folder.resolve("a.bin"), content);
        service.then(201, RECORD).then(FakeService.breakOff()).then(200, RECORD);

        client.files().upload(file);

        assertEquals(3, service.requests.size());
        assertArrayEquals(content, service.last().body());
    }

    @Test
    void anUploadWhoseAnswerWasLostHasSucceeded() {
        service.then(201, "{\"id\":\"f1\",\"status\":\"pending\"}")
                .then(FakeService.breakOff())
                .then(409, "{\"code\":\"conflict\"}")
                .then(200, RECORD);

        assertTrue(client.files().upload(random(10), "a.bin", "image/png").isReady());

        service.then(201, RECORD)
                .then(409, "{\"code\":\"conflict\"}")
                .then(200, "{\"id\":\"f1\",\"status\":\"pending\"}");
        assertThrows(ApiException.class, () -> client.files().upload(random(10), "a.bin", "image/png"));
    }

    @Test
    void aLargeFileGoesInParts() throws IOException {
        byte[] content = random(1_050);
        Path file = Files.write(folder.resolve("large.csv"), content);

        small(1000, 100).upload(file);

        List<Received> parts = service.requests.stream()
                .filter(r -> r.path().endsWith("/parts"))
                .toList();
        assertEquals("POST /api/files", service.requests.get(0).line());
        assertEquals(11, parts.size());
        assertArrayEquals(content, joinedParts());
        parts.forEach(part -> assertNull(part.header("Idempotency-key"), "a numbered part needs none"));
        assertEquals("POST /api/files/f1/complete", service.last().line());
        assertNotNull(service.last().header("Idempotency-key"));
    }

    @Test
    void bytesUpToTheLimitGoWholeAndMoreInParts() {
        small(1000, 100).upload(random(1000), "a.bin", "application/octet-stream");
        assertEquals("PUT /api/files/f1/content", service.last().line());

        small(1000, 100).upload(random(1001), "a.bin", "application/octet-stream");
        assertEquals("POST /api/files/f1/complete", service.last().line());
        assertArrayEquals(random(1001), joinedParts());
    }

    @Test
    void aStreamOfUnknownLengthGoesInPartsUnlessItIsShort() {
        small(1000, 100).upload(new ByteArrayInputStream(random(99)), "a.bin", "image/png");
        assertArrayEquals(random(99), service.last().body());
        assertEquals("image/png", service.last().header("Content-type"));

        small(1000, 100).upload(new ByteArrayInputStream(random(200)), "a.bin", "image/png");
        assertArrayEquals(random(200), joinedParts());
        assertEquals("POST /api/files/f1/complete", service.last().line());
    }

    @Test
    void aPartThatBrokeIsRepeated() {
        service.then(201, RECORD).then(FakeService.breakOff()).then(503, "{}");

        small(1000, 100).upload(new ByteArrayInputStream(random(350)), "a.bin", "image/png");

        assertEquals("POST /api/files/f1/complete", service.last().line());
        assertEquals(
                4 + 2,
                service.requests.stream()
                        .filter(r -> r.path().endsWith("/parts"))
                        .count());
    }

    @Test
    void aPartThatIsRefusedEndsTheUpload() {
        service.then(201, RECORD).then(413, "{\"code\":\"too_large\"}");

        ApiException e = assertThrows(ApiException.class, () -> small(1000, 100)
                .upload(new ByteArrayInputStream(random(250)), "a.bin", "image/png"));

        assertEquals("too_large", e.getCode());
        assertTrue(service.requests.stream().noneMatch(r -> r.path().endsWith("/complete")));
    }

    @Test
    void aSourceThatCannotBeReadIsTold() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("unplugged");
            }
        };

        assertThrows(SelvedgeException.class, () -> client.files().upload(broken, "a.bin", "image/png"));
        assertThrows(SelvedgeException.class, () -> client.files().upload(folder.resolve("absent.csv")));
        assertEquals(0, service.requests.size());
    }

    @Test
    void aDownloadFillsAFile() throws IOException {
        byte[] content = random(500_000);
        service.then(FakeService.bytes(200, content));
        Path target = Files.writeString(folder.resolve("copy.bin"), "old");

        client.files().download("f1", target);

        assertEquals("GET /api/files/f1/content", service.only().line());
        assertArrayEquals(content, Files.readAllBytes(target));
        assertEquals(List.of("copy.bin"), names());
    }

    @Test
    void aDownloadThatBreaksOffIsRepeatedAndLeavesNoHalfFile() throws IOException {
        byte[] content = random(5_000);
        service.then(FakeService.breakMidway(random(100))).then(FakeService.bytes(200, content));
        client.files().download("f1", folder.resolve("copy.bin"));
        assertArrayEquals(content, Files.readAllBytes(folder.resolve("copy.bin")));

        service.always(FakeService.breakMidway(random(100)));
        assertThrows(SelvedgeException.class, () -> client.files().download("f1", folder.resolve("never.bin")));
        assertEquals(List.of("copy.bin"), names());
    }

    @Test
    void aDownloadFillsAStreamOnce() {
        service.then(FakeService.breakMidway("half".getBytes()));
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        assertThrows(SelvedgeException.class, () -> client.files().download("f1", target));

        assertEquals("half", target.toString());
        assertEquals(1, service.requests.size());
    }

    @Test
    void aTargetThatCannotBeWrittenIsToldWithoutRepeating() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("disk full");
            }
        };

        SelvedgeException e =
                assertThrows(SelvedgeException.class, () -> client.files().download("f1", full));
        assertThrows(SelvedgeException.class, () -> client.files().download("f1", folder.resolve("no/such/folder")));

        assertTrue(e.getMessage().contains("disk full"));
        assertEquals(2, service.requests.size());
    }

    @Test
    void anErrorOfADownloadIsAnApiException() {
        service.then(404, "{\"code\":\"not_found\"}");

        assertEquals(
                404,
                assertThrows(ApiException.class, () -> client.files().download("f1", folder.resolve("x")))
                        .getStatus());
    }

    @Test
    void uploadAndDownloadWithoutWaiting() throws IOException {
        Path csv = Files.writeString(folder.resolve("items.csv"), "a,b\r\n");

        assertEquals("f1", client.files().upload(csv).id());
        service.then(FakeService.bytes(200, "hello".getBytes()));
        client.files().download("f1", folder.resolve("hello.txt"));

        assertEquals("hello", Files.readString(folder.resolve("hello.txt")));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
