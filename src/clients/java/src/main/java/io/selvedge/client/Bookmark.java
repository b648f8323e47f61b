package io.selvedge.client;

import io.selvedge.client.transport.TransportResponse;
import java.util.Optional;

/**
 * How far a client has read and written. The service tells it with each answer; sent along, it lets reads be answered
 * near the caller, and never older than what the caller has seen or written itself (N59). Without one, the primary
 * answers.
 */
final class Bookmark {

    static final String HEADER = "x-d1-bookmark";

    /** What a request goes out with; what it brings back is held against it. */
    record Begun(String sent, int given) {}

    private String kept;
    private int given;

    /** Goes on where another client was; null where nobody knows. */
    Bookmark(String kept) {
        this.kept = kept;
    }

    synchronized Optional<String> kept() {
        return Optional.ofNullable(kept);
    }

    synchronized Begun begin() {
        return new Begun(kept, given);
    }

    synchronized void answered(Begun begun, String method, TransportResponse response) {
        Optional<String> received = response.header(HEADER);
        boolean refused = response.status() >= 400 && response.status() < 500;
        if (received.isEmpty()) {
            if (!refused) {
                unanswered(method);
            }
            return;
        }
        // It began before a write that nobody has placed: it may not have seen it.
        if (begun.given() != given) {
            return;
        }
        boolean anotherDatabase = begun.sent() != null && isNewer(begun.sent(), received.get());
        if (anotherDatabase || kept == null || isNewer(received.get(), kept)) {
            kept = received.get();
        }
    }

    /** Nobody can say from where on a write is to be seen: the next read goes to the primary. */
    synchronized void unanswered(String method) {
        if (!method.equals("GET")) {
            given++;
            kept = null;
        }
    }

    /** Those of one database sort by time; one of another is taken as it comes. */
    private static boolean isNewer(String one, String other) {
        return !database(one).equals(database(other)) || one.compareTo(other) > 0;
    }

    private static String database(String bookmark) {
        return bookmark.substring(0, bookmark.lastIndexOf('.') + 1);
    }
}
