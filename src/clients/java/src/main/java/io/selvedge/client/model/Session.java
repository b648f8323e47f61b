package io.selvedge.client.model;

import java.time.Instant;
import java.util.Map;

/**
 * What a login by email and password gave.
 *
 * @param accessToken the token; another client can be built with it
 * @param expiresOn when it stops to work
 * @param user who it belongs to
 */
public record Session(String accessToken, Instant expiresOn, Map<String, Object> user) {

    /** Reads an absent user as an empty one. */
    public Session {
        user = Lists.orEmpty(user);
    }

    /** Leaves the token out: it must not reach a log. */
    @Override
    public String toString() {
        return "Session[expiresOn=" + expiresOn + "]";
    }
}
