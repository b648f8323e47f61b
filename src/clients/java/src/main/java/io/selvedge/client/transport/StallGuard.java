package io.selvedge.client.transport;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A stream that fails when no byte arrives for a while. Reading a body blocks without limit otherwise; closing the
 * stream from a timer is what wakes the reader. A pause of the reader itself is not counted.
 */
final class StallGuard extends FilterInputStream {

    private static final int TICKS = 4;

    private final Duration limit;
    private final Executor ticks;
    private volatile long waitingSinceNanos = System.nanoTime();
    private volatile boolean waiting;
    private volatile boolean closed;
    private volatile boolean stalled;

    StallGuard(InputStream in, Duration limit) {
        super(in);
        this.limit = limit;
        this.ticks = CompletableFuture.delayedExecutor(Math.max(1, limit.toMillis() / TICKS), TimeUnit.MILLISECONDS);
        ticks.execute(this::watch);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        waitingSinceNanos = System.nanoTime();
        waiting = true;
        try {
            int count = super.read(buffer, offset, length);
            if (stalled) {
                throw stall(null);
            }
            return count;
        } catch (IOException broken) {
            throw stalled ? stall(broken) : broken;
        } finally {
            waiting = false;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        super.close();
    }

    private void watch() {
        if (closed) {
            return;
        }
        if (waiting && System.nanoTime() - waitingSinceNanos > limit.toNanos()) {
            stalled = true;
            try {
                close();
            } catch (IOException alreadyBroken) {
                // The reader learns it from its own read.
            }
            return;
        }
        ticks.execute(this::watch);
    }

    private HttpTimeoutException stall(IOException cause) {
        HttpTimeoutException stall = new HttpTimeoutException("no data for " + limit.toMillis() + " ms");
        stall.initCause(cause);
        return stall;
    }
}
