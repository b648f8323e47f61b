package io.selvedge.client.model;

import java.time.Instant;

/**
 * The identity provider of an organization's single sign-on.
 *
 * @param issuer address below which it is discovered
 * @param clientId what it knows the service as
 * @param clientSecret secret shared with it; masked on reading, and kept where the mask is sent back
 * @param allowSignUp whether a first sign-in makes a person a member, null for no
 * @param callbackUrl on reading, the redirect address to register with it
 * @param updatedOn on reading, when it was set
 */
public record IdentityProvider(
        String issuer,
        String clientId,
        String clientSecret,
        Boolean allowSignUp,
        String callbackUrl,
        Instant updatedOn) {

    /** What to set. */
    public static IdentityProvider of(String issuer, String clientId, String clientSecret) {
        return new IdentityProvider(issuer, clientId, clientSecret, null, null, null);
    }

    /** The same, where a first sign-in makes a person a member. */
    public IdentityProvider allowingSignUp() {
        return new IdentityProvider(issuer, clientId, clientSecret, true, callbackUrl, updatedOn);
    }

    /** The same without what is there on reading alone, as it is sent. */
    public IdentityProvider settable() {
        return new IdentityProvider(issuer, clientId, clientSecret, allowSignUp, null, null);
    }

    /** Leaves the secret out: it must not reach a log. */
    @Override
    public String toString() {
        return "IdentityProvider[issuer=" + issuer + ", clientId=" + clientId + "]";
    }
}
