package io.selvedge.client;

import io.selvedge.client.model.ChangePage;
import io.selvedge.client.model.ChangeRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Follows the change history on a thread of its own: every change reaches the handler, oldest first, until
 * {@link #close()}.
 *
 * <pre>{@code
 * ChangePoller poller = client.changeHistory().poller()
 *     .query(ChangeQuery.all().entityTypes("item"))
 *     .from(store.read())                 // the syncKey of the last run
 *     .interval(Duration.ofSeconds(10))
 *     .onChanges(changes -> changes.forEach(this::synchronize))
 *     .onSyncKey(store::write)            // after the handler returned
 *     .onError(e -> log.warn("will try again", e))
 *     .start();
 * }</pre>
 *
 * <p>The syncKey is handed over only after the handler has returned, so a crash between the two repeats a page and
 * loses none. When the handler or the network fails, the same page is tried again after the interval. An answer that
 * trying again cannot solve (a wrong key, an expired syncKey) ends the poller, and so does an {@link Error};
 * {@link #ended()} tells.
 */
public final class ChangePoller implements AutoCloseable {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_FAULT = 500;

    private final Builder settings;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread thread = Threads.daemon("selvedge-poller", this::run);
    private volatile CompletableFuture<ChangePage> underWay = CompletableFuture.completedFuture(null);
    private String syncKey;
    private ApiException refusal;

    private ChangePoller(Builder settings) {
        this.settings = settings.copy();
        this.syncKey = settings.from;
    }

    /** Completes when the poller has been closed; fails with the reason when it gave up. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Stops. When it returns, the handler is not running and will not run again (unless the handler itself calls this).
     */
    @Override
    public void close() {
        closing.countDown();
        underWay.cancel(true);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!isClosing()) {
                boolean more = step();
                if (!more && closing.await(settings.interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
            ended.complete(null);
        } catch (Throwable givenUp) {
            ended.completeExceptionally(givenUp);
        }
    }

    /** Reads and hands over one page; tells whether another one is waiting already. */
    private boolean step() {
        try {
            return syncKey == null ? begin() : follow();
        } catch (RuntimeException failure) {
            if (isClosing()) {
                return false;
            }
            settings.onError.accept(failure);
            if (failure == refusal) {
                throw failure;
            }
            return false;
        } catch (Error fatal) {
            settings.onError.accept(new SelvedgeException("the poller ends: " + fatal, fatal));
            throw fatal;
        }
    }

    /** Without a position, the present end of the history is where following begins. */
    private boolean begin() {
        String end = fetch(settings.query.limit(1)).syncKey();
        keep(end == null ? "" : end);
        return true;
    }

    private boolean follow() {
        ChangePage page = fetch(settings.query.limit(settings.pageSize).after(syncKey));
        if (!page.results().isEmpty()) {
            settings.onChanges.accept(page.results());
        }
        keep(page.syncKey());
        return page.nextPageKey() != null || page.results().size() >= settings.pageSize;
    }

    private ChangePage fetch(ChangeQuery query) {
        CompletableFuture<ChangePage> page = settings.history.page(query);
        underWay = page;
        if (isClosing()) {
            page.cancel(true);
        }
        try {
            return Threads.await(page);
        } catch (ApiException answer) {
            refusal = isFinal(answer) ? answer : null;
            throw answer;
        }
    }

    private void keep(String key) {
        if (key != null && !key.equals(syncKey)) {
            settings.onSyncKey.accept(key);
            syncKey = key;
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private static boolean isFinal(ApiException answer) {
        return answer.getStatus() < SERVER_FAULT && answer.getStatus() != TOO_MANY_REQUESTS;
    }

    /** Settings of a poller. */
    public static final class Builder {

        private final ChangeHistoryClient history;
        private ChangeQuery query = ChangeQuery.all();
        private String from;
        private Duration interval = Duration.ofSeconds(10);
        private int pageSize = 500;
        private Consumer<List<ChangeRecord>> onChanges;
        private Consumer<String> onSyncKey = key -> {};
        private Consumer<RuntimeException> onError = failure -> {};

        Builder(ChangeHistoryClient history) {
            this.history = history;
        }

        /** Which changes to follow; its order, limit and position are not used. */
        public Builder query(ChangeQuery changes) {
            query = changes.order(null).nextPageKey(null);
            return this;
        }

        /**
         * Where to begin.
         *
         * @param syncKey the last one that {@link #onSyncKey} was given; empty for the beginning of the history; null
         *     (the default) for now
         */
        public Builder from(String syncKey) {
            from = syncKey;
            return this;
        }

        /** How long to wait after the newest change has been read; 10 seconds unless told otherwise. */
        public Builder interval(Duration time) {
            interval = time;
            return this;
        }

        /** How many records the handler gets at most at once, 1 to 1000; 500 unless told otherwise. */
        public Builder pageSize(int size) {
            pageSize = size;
            return this;
        }

        /** What to do with changes; required. It gets at least one, oldest first. */
        public Builder onChanges(Consumer<List<ChangeRecord>> handler) {
            onChanges = handler;
            return this;
        }

        /** Where to keep the position. */
        public Builder onSyncKey(Consumer<String> handler) {
            onSyncKey = handler;
            return this;
        }

        /** What to do when the network or a handler failed; an {@link Error} is the cause of what is told. */
        public Builder onError(Consumer<RuntimeException> handler) {
            onError = handler;
            return this;
        }

        /** Starts to follow. */
        public ChangePoller start() {
            Objects.requireNonNull(onChanges, "onChanges");
            ChangePoller poller = new ChangePoller(this);
            poller.thread.start();
            return poller;
        }

        private Builder copy() {
            return new Builder(history)
                    .query(query)
                    .from(from)
                    .interval(interval)
                    .pageSize(pageSize)
                    .onChanges(onChanges)
                    .onSyncKey(onSyncKey)
                    .onError(onError);
        }
    }
}
