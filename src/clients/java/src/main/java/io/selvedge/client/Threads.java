package io.selvedge.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where work happens: answers are read on shared daemon threads. */
final class Threads {

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Unbounded on purpose: a reader that waits for a thread held by a slow download would stand still. */
    static final Executor SHARED =
            Executors.newCachedThreadPool(work -> daemon("selvedge-client-" + COUNT.incrementAndGet(), work));

    private Threads() {}

    static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    static Executor after(Duration delay) {
        return CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS, SHARED);
    }

    /** Waits for an answer and throws what went wrong as itself, with the caller's stack trace. */
    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new SelvedgeException("interrupted while waiting for the answer", e);
        } catch (ExecutionException e) {
            throw unwrapped(e.getCause());
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SelvedgeException("interrupted while waiting", e);
        }
    }

    private static RuntimeException unwrapped(Throwable cause) {
        if (cause instanceof SelvedgeException ours) {
            // The trace of a pool thread would not lead to the call that failed.
            ours.fillInStackTrace();
            return ours;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException runtime ? runtime : new SelvedgeException(cause.toString(), cause);
    }
}
