package io.selvedge.client.model;

import java.time.Instant;

/**
 * What signing in gave.
 *
 * @param accessToken the token; another client can be built with it
 * @param expiresOn when it stops to work
 * @param user who it belongs to
 * @param org the organization it is good for
 */
public record Session(String accessToken, Instant expiresOn, User user, Me.Org org) {

    /** Leaves the token out: it must not reach a log. */
    @Override
    public String toString() {
        return "Session[expiresOn=" + expiresOn + ", user=" + user + "]";
    }
}
