package io.selvedge.client;

import io.selvedge.client.model.Page;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Walks a paged list, asking for a page only when the one before has been used up. */
final class Paging<T> implements Iterator<T> {

    /** The part of a page that walking needs. */
    record Part<T>(List<T> results, String nextPageKey) {}

    private final Function<String, Part<T>> fetch;
    private Iterator<T> page = List.<T>of().iterator();
    private String nextPageKey;
    private boolean ended;

    private Paging(Function<String, Part<T>> fetch, String firstPageKey) {
        this.fetch = fetch;
        this.nextPageKey = firstPageKey;
    }

    /** @param fetch gets the page of a key; the key of the first page may be null */
    static <T> Stream<T> stream(String firstPageKey, Function<String, Part<T>> fetch) {
        int traits = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(new Paging<>(fetch, firstPageKey), traits), false);
    }

    /**
     * A page that the service has filled as far as it could, read on until it is full or everything has been looked at
     * (N71).
     */
    static <T> CompletableFuture<Page<T>> filled(
            ListQuery query, Function<ListQuery, CompletableFuture<Page<T>>> fetch) {
        CompletableFuture<Page<T>> whole = new CompletableFuture<>();
        fill(whole, new ArrayList<>(), query, fetch);
        return whole;
    }

    private static <T> void fill(
            CompletableFuture<Page<T>> whole,
            List<T> found,
            ListQuery query,
            Function<ListQuery, CompletableFuture<Page<T>>> fetch) {
        CompletableFuture<Page<T>> part = fetch.apply(query);
        // Whoever gives the page up gives up the call that is under way.
        whole.whenComplete((page, failure) -> part.cancel(true));
        part.whenComplete((page, failure) -> {
            if (failure != null) {
                whole.completeExceptionally(failure);
                return;
            }
            found.addAll(page.results());
            int missing = query.size() - page.results().size();
            if (page.isPartial() && missing > 0 && page.nextPageKey() != null) {
                fill(whole, found, query.limit(missing).nextPageKey(page.nextPageKey()), fetch);
            } else {
                whole.complete(new Page<>(found, page.nextPageKey()));
            }
        });
    }

    @Override
    public boolean hasNext() {
        // A loop, because a page may be empty and still have a successor (N16).
        while (!page.hasNext() && !ended) {
            Part<T> part = fetch.apply(nextPageKey);
            page = part.results().iterator();
            nextPageKey = part.nextPageKey();
            ended = nextPageKey == null;
        }
        return page.hasNext();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
