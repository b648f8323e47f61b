package io.selvedge.client;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Looks again and again at something that takes its time: often at first, then less and less often. */
final class Looks {

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private Looks() {}

    /** The state that fits; every state seen is told, that one included. */
    static <T> T until(Supplier<T> look, Predicate<? super T> isEnded, Consumer<? super T> seen) {
        Duration pause = FIRST;
        while (true) {
            T state = look.get();
            seen.accept(state);
            if (isEnded.test(state)) {
                return state;
            }
            Threads.pause(pause);
            Duration longer = pause.multipliedBy(3).dividedBy(2);
            pause = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
        }
    }
}
