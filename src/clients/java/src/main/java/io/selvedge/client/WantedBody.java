package io.selvedge.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * A body as long as somebody waits for what is made of it. A stream that is closed under its reader may look as if it
 * had ended, and half a file as if it were whole.
 */
final class WantedBody extends FilterInputStream {

    private final CompletableFuture<?> result;

    WantedBody(InputStream in, CompletableFuture<?> result) {
        super(in);
        this.result = result;
    }

    @Override
    public int read() throws IOException {
        check();
        int next = super.read();
        check();
        return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        check();
        int count = super.read(buffer, offset, length);
        check();
        return count;
    }

    private void check() throws IOException {
        if (result.isDone()) {
            throw new IOException("nobody waits for the answer any more");
        }
    }
}
