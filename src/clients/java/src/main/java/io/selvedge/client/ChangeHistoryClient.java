package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.ChangePage;
import io.selvedge.client.model.ChangeRecord;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Reads the record of changes, by query or by following it.
 *
 * <pre>{@code
 * client.changeHistory()
 *     .listAll(ChangeQuery.all().entity("item", id))
 *     .forEach(change -> System.out.println(change.createdOn() + " " + change.changeType()));
 * }</pre>
 */
public final class ChangeHistoryClient {

    private final Pipeline pipeline;

    ChangeHistoryClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** One page of change records. */
    public ChangePage list(ChangeQuery query) {
        return await(page(query));
    }

    /** For the poller, which gives a page up when it is closed. */
    CompletableFuture<ChangePage> page(ChangeQuery query) {
        return pipeline.send(Call.get("change-history").query(query.toQuery()), ChangePage.class);
    }

    /** Every change record that fits the query; pages are fetched while the stream is consumed. */
    public Stream<ChangeRecord> listAll(ChangeQuery query) {
        return Paging.stream(null, key -> {
            ChangePage page = list(key == null ? query : query.nextPageKey(key));
            return new Paging.Part<>(page.results(), page.nextPageKey());
        });
    }

    /** Prepares a {@link ChangePoller}, which follows the history and misses no change. */
    public ChangePoller.Builder poller() {
        return new ChangePoller.Builder(this);
    }
}
