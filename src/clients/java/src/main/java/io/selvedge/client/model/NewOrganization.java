package io.selvedge.client.model;

import java.util.Map;

/**
 * An organization to be made. Immutable; each step returns a new one.
 *
 * <pre>{@code
 * NewOrganization.of("acme", "Acme").admin("ada@example.com", password).tier("high").database("DB_2")
 * }</pre>
 *
 * @param slug slug
 * @param name name
 * @param admin {@code email} and {@code password} of its first admin, or null
 * @param tier rate tier: {@code standard}, {@code high} or {@code internal}; null for the usual one
 * @param database name of the database for its data, null for the emptiest
 */
public record NewOrganization(String slug, String name, Map<String, String> admin, String tier, String database) {

    /** An organization in which nobody is yet. */
    public static NewOrganization of(String slug, String name) {
        return new NewOrganization(slug, name, null, null, null);
    }

    /** Sets its first admin. */
    public NewOrganization admin(String email, String password) {
        return new NewOrganization(slug, name, Map.of("email", email, "password", password), tier, database);
    }

    /** Sets the rate tier. */
    public NewOrganization tier(String other) {
        return new NewOrganization(slug, name, admin, other, database);
    }

    /** Sets the database that its data goes to, as {@code deployment().databases()} names it. */
    public NewOrganization database(String other) {
        return new NewOrganization(slug, name, admin, tier, other);
    }

    /** Leaves the password out: it must not reach a log. */
    @Override
    public String toString() {
        return "NewOrganization[slug=" + slug + ", name=" + name + ", tier=" + tier + ", database=" + database + "]";
    }
}
