package io.selvedge.client.model;

import java.time.Instant;

/**
 * An access token that the operator issued. It is shown this once.
 *
 * @param id identifier
 * @param name name to recognize it by
 * @param accessToken the token itself
 * @param expiresOn when it stops to work
 */
public record AccessToken(String id, String name, String accessToken, Instant expiresOn) {

    /** Leaves the token out: it must not reach a log. */
    @Override
    public String toString() {
        return "AccessToken[id=" + id + ", name=" + name + ", expiresOn=" + expiresOn + "]";
    }
}
