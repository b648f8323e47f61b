package io.selvedge.client.model;

import java.util.Map;

/**
 * A restore to be begun. Immutable; each step returns a new one.
 *
 * @param end the {@code end} line of the archive
 * @param digest digest of its last mark
 * @param slug another name than it had, or null
 * @param positions {@code shift} where other organizations have the places of its records, or null
 * @param suspended whether nobody gets in before it is resumed, or null
 */
public record NewRestore(
        Map<String, Object> end, String digest, String slug, String positions, Boolean suspended) {

    /** Under the name and with the places that it had. */
    public static NewRestore of(Map<String, Object> end, String digest) {
        return new NewRestore(end, digest, null, null, null);
    }

    /** Sets another name than it had. */
    public NewRestore slug(String other) {
        return new NewRestore(end, digest, other, positions, suspended);
    }

    /** Gives its records other places, for a database in which they are taken. */
    public NewRestore shifted() {
        return new NewRestore(end, digest, slug, "shift", suspended);
    }

    /** Lets nobody in, and sends nothing out, before it is resumed: for drills. */
    public NewRestore heldBack() {
        return new NewRestore(end, digest, slug, positions, true);
    }
}
