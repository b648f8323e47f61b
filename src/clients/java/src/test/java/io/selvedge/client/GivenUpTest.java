package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.transport.Transport;
import io.selvedge.client.transport.TransportResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nobody waits for any more: it stops, and leaves nothing behind. */
@Timeout(30)
class GivenUpTest {

    /** A body that comes byte by byte as the test wants it. Closed, it looks as if it had ended well. */
    private static final class Trickle extends InputStream {

        final BlockingQueue<Integer> bytes = new LinkedBlockingQueue<>();
        final CountDownLatch reading = new CountDownLatch(2);
        final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            reading.countDown();
            try {
                return bytes.take();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int next = read();
            buffer[offset] = (byte) next;
            return next < 0 ? -1 : 1;
        }

        @Override
        public void close() {
            closed.countDown();
            bytes.add(-1);
        }

        /** The first byte has been taken, and the next one is waited for. */
        void begin() throws InterruptedException {
            bytes.add((int) 'a');
            reading.await();
        }
    }

    @TempDir
    Path folder;

    private final Trickle body = new Trickle();
    private final SelvedgeClient client = over(
            request -> CompletableFuture.completedFuture(new TransportResponse(200, Map.of(), body)));

    private static SelvedgeClient over(Transport transport) {
        return SelvedgeClient.builder()
                .baseUrl("https://data.example.com/api")
                .apiKey("app:x")
                .orgSlug("demo")
                .transport(transport)
                .build();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    private void assertNothingIsLeft() throws IOException, InterruptedException {
        assertTrue(body.closed.await(5, TimeUnit.SECONDS), "the body is closed");
        for (int tries = 0; !files().isEmpty() && tries < 100; tries++) {
            Thread.sleep(20);
        }
        assertEquals(List.of(), files());
    }

    /** A call on a thread of its own; cancelling it interrupts that thread. */
    private static Future<?> begun(Runnable call) {
        ExecutorService thread = Executors.newSingleThreadExecutor(work -> Threads.daemon("caller", work));
        Future<?> begun = thread.submit(call);
        thread.shutdown();
        return begun;
    }

    @Test
    void aDownloadThatIsCancelledMidwayIsNotPutInPlace() throws IOException, InterruptedException {
        Future<?> download = begun(() -> client.files().download("f1", folder.resolve("copy.bin")));
        body.begin();

        download.cancel(true);

        assertNothingIsLeft();
    }

    @Test
    void anInterruptedDownloadWritesNothingMore() throws InterruptedException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        Thread caller = new Thread(() ->
                assertThrows(SelvedgeException.class, () -> client.files().download("f1", target)));
        caller.start();
        body.begin();

        caller.interrupt();
        caller.join();

        assertTrue(body.closed.await(5, TimeUnit.SECONDS), "the body is closed");
        body.bytes.add((int) 'b');
        Thread.sleep(100);
        assertEquals("a", target.toString());
    }

    @Test
    void aDownloadThatIsGivenUpAfterItsLastByteIsNotPutInPlace() throws IOException {
        InputStream givenUpAtItsEnd = new InputStream() {
            private boolean ended;

            @Override
            public int read() throws IOException {
                if (ended) {
                    throw new IOException("given up");
                }
                ended = true;
                return -1;
            }
        };

        assertThrows(IOException.class, () -> Download.toFile(givenUpAtItsEnd, folder.resolve("copy.bin")));

        assertEquals(List.of(), files());
    }

    @Test
    void aTimeoutOfTheCallerGivesTheRequestUp() throws InterruptedException {
        CompletableFuture<TransportResponse> underWay = new CompletableFuture<>();
        CountDownLatch givenUp = new CountDownLatch(1);
        underWay.whenComplete((answer, failure) -> givenUp.countDown());
        Future<?> call = begun(() -> over(request -> underWay).entities().get("item", "i1"));

        assertThrows(TimeoutException.class, () -> call.get(50, TimeUnit.MILLISECONDS));
        call.cancel(true);

        assertTrue(givenUp.await(5, TimeUnit.SECONDS));
        assertTrue(underWay.isCancelled());
    }

    @Test
    void aTimeoutOfTheCallerEndsAProcedureOfSeveralCalls() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch interrupted = new CountDownLatch(1);
        SelvedgeClient running = over(request -> CompletableFuture.completedFuture(
                TransportResponse.json(200, "{\"id\":\"l1\",\"status\":\"running\"}")));

        Future<?> wait = begun(() -> running.loads().waitFor("l1", load -> {
            looks.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
        }));
        assertThrows(TimeoutException.class, () -> wait.get(50, TimeUnit.MILLISECONDS));
        wait.cancel(true);

        assertTrue(interrupted.await(5, TimeUnit.SECONDS));
        Thread.sleep(500);
        assertEquals(1, looks.get());
    }
}
