package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import io.selvedge.client.model.AccessToken;
import io.selvedge.client.model.ApiKey;
import io.selvedge.client.model.IdentityProvider;
import io.selvedge.client.model.NewOrganization;
import io.selvedge.client.model.Organization;
import io.selvedge.client.model.OrganizationMove;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.PasswordReset;
import io.selvedge.client.model.Quota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The calls of whoever owns the deployment. They take the operator key, never an organization's.
 *
 * <pre>{@code
 * OperatorClient operator = SelvedgeClient.builder().baseUrl(url).operator(System.getenv("OPERATOR_KEY"));
 * operator.createOrganization("acme", "Acme", "ada@example.com", password);
 * }</pre>
 */
public final class OperatorClient {

    private static final JavaType QUOTAS = Json.type(new TypeReference<Map<String, Quota>>() {});

    static final String OPERATOR = "operator";
    private static final String ORGS = "orgs";
    private static final String KEYS = "api-keys";
    private static final String TOKENS = "tokens";
    private static final String MOVE = "move";
    private static final String PROVIDER = "identity-provider";

    private final Pipeline pipeline;

    OperatorClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** The addresses that the service calls for organizations. */
    public EndpointClient endpoints() {
        return new EndpointClient(pipeline);
    }

    /** How the deployment is, and what its queues gave up. */
    public DeploymentClient deployment() {
        return new DeploymentClient(pipeline);
    }

    /** The audit trails of organizations, and that of the operators themselves. */
    public OperatorAuditClient audit() {
        return new OperatorAuditClient(pipeline);
    }

    /** Whole organizations taken out. */
    public BackupClient backups() {
        return new BackupClient(pipeline);
    }

    /** Organizations brought back from archives. */
    public RestoreClient restores() {
        return new RestoreClient(pipeline);
    }

    /** Begins to move an organization to another database, in the background; while one is under way, tells how far it is. */
    public OrganizationMove move(String slug, String database) {
        Map<String, Object> body = Map.of("database", database);
        return await(
                pipeline.send(org(Call::postIdempotent, slug, MOVE).body(Json.WIRE.body(body)), OrganizationMove.class));
    }

    /** How far the last move of an organization is, or how it ended. */
    public OrganizationMove move(String slug) {
        return await(pipeline.send(org(Call::get, slug, MOVE), OrganizationMove.class));
    }

    /** Gives a move up: the organization stays where it was. */
    public OrganizationMove cancelMove(String slug) {
        return await(pipeline.send(org(Call::postIdempotent, slug, MOVE, "cancel"), OrganizationMove.class));
    }

    /** One page of organizations; the query gives {@code limit} and {@code nextPageKey}. */
    public Page<Organization> organizations(ListQuery query) {
        return await(pipeline.page(Call.get(OPERATOR, ORGS), query, Organization.class));
    }

    /** One organization. */
    public Organization organization(String slug) {
        return await(pipeline.send(org(Call::get, slug), Organization.class));
    }

    /** Makes an organization with its first admin. */
    public Organization createOrganization(String slug, String name, String adminEmail, String adminPassword) {
        return createOrganization(NewOrganization.of(slug, name).admin(adminEmail, adminPassword));
    }

    /** Makes an organization, with the tier and in the database that it names. */
    public Organization createOrganization(NewOrganization organization) {
        return await(pipeline.send(
                Call.postOnce(OPERATOR, ORGS).body(Json.WIRE.body(organization)), Organization.class));
    }

    /**
     * Changes an organization.
     *
     * @param change {@code name}, {@code suspended}, {@code historyRetentionDays} (null for ever) or
     *     {@code historyArchiveDays} (null for never)
     */
    public Organization updateOrganization(String slug, Map<String, ?> change) {
        return await(pipeline.send(org(Call::put, slug).body(Json.WIRE.body(change)), Organization.class));
    }

    /** Deletes an organization with all its data; it must have been exported. */
    public void deleteOrganization(String slug) {
        await(pipeline.send(org(Call::delete, slug)));
    }

    /** Makes the search index of an organization anew, in the background. */
    public void rebuildSearchIndex(String slug) {
        await(pipeline.send(org(Call::postIdempotent, slug, "search-index")));
    }

    /** Sets the rate tier of an organization: {@code standard}, {@code high} or {@code internal}. */
    public Organization setTier(String slug, String tier) {
        return await(pipeline.send(
                org(Call::put, slug, "tier").body(Json.WIRE.body(Map.of("tier", tier))), Organization.class));
    }

    /** What an organization may have, by name, each with its limit and what is used of it. */
    public Map<String, Quota> quotas(String slug) {
        return await(pipeline.send(org(Call::get, slug, "quotas"), Json.WIRE, QUOTAS));
    }

    /** Sets quotas by name; null brings back the usual one. */
    public Map<String, Quota> setQuotas(String slug, Map<String, Long> quotas) {
        return await(pipeline.send(org(Call::put, slug, "quotas").body(Json.WIRE.body(quotas)), Json.WIRE, QUOTAS));
    }

    /** One page of the keys of an organization, without the keys themselves. */
    public Page<ApiKey> keys(String slug, ListQuery query) {
        return await(pipeline.page(org(Call::get, slug, KEYS), query, ApiKey.class));
    }

    /**
     * Issues an app key; it is shown this once, so the call is never repeated by the client.
     *
     * @param scope {@code read} or {@code write}
     * @param more {@code tier} and {@code expiresOn}, where wanted
     */
    public ApiKey createKey(String slug, String name, String scope, Map<String, ?> more) {
        Map<String, Object> key = new LinkedHashMap<>(more);
        key.put("name", name);
        key.put("scope", scope);
        return await(pipeline.send(org(Call::postOnce, slug, KEYS).body(Json.WIRE.body(key)), ApiKey.class));
    }

    /** Revokes a key. */
    public void deleteKey(String slug, String id) {
        await(pipeline.send(org(Call::delete, slug, KEYS, id)));
    }

    /** One page of the access tokens of an organization, without the tokens themselves. */
    public Page<ApiKey> tokens(String slug, ListQuery query) {
        return await(pipeline.page(org(Call::get, slug, TOKENS), query, ApiKey.class));
    }

    /**
     * Issues an access token; it is shown this once, so the call is never repeated by the client.
     *
     * @param scope {@code read} or {@code write}
     */
    public AccessToken createToken(String slug, String name, String scope, Duration lifetime) {
        Map<String, Object> token = Map.of("name", name, "scope", scope, "ttlSeconds", lifetime.toSeconds());
        return await(pipeline.send(org(Call::postOnce, slug, TOKENS).body(Json.WIRE.body(token)), AccessToken.class));
    }

    /** Revokes an access token. */
    public void deleteToken(String slug, String id) {
        await(pipeline.send(org(Call::delete, slug, TOKENS, id)));
    }

    /** Makes a one-time link for a member who forgot the password. */
    public PasswordReset passwordReset(String slug, String email) {
        return await(pipeline.send(
                org(Call::postOnce, slug, "password-reset").body(Json.WIRE.body(Map.of("email", email))),
                PasswordReset.class));
    }

    /** Sets the identity provider of an organization. */
    public IdentityProvider setIdentityProvider(String slug, IdentityProvider provider) {
        return await(pipeline.send(
                org(Call::put, slug, PROVIDER).body(Json.WIRE.body(provider.settable())), IdentityProvider.class));
    }

    /** The identity provider of an organization, its secret masked. */
    public IdentityProvider identityProvider(String slug) {
        return await(pipeline.send(org(Call::get, slug, PROVIDER), IdentityProvider.class));
    }

    /** Removes the identity provider of an organization. */
    public void deleteIdentityProvider(String slug) {
        await(pipeline.send(org(Call::delete, slug, PROVIDER)));
    }

    /**
     * Any other call with the operator key, like {@link SelvedgeClient#request}.
     *
     * @param path below the base address, encoded, query included: {@code /operator/status}
     */
    public <T> T request(String method, String path, Object body, Class<T> type) {
        return await(RawCalls.send(pipeline, method, path, body, type));
    }

    static Call org(Function<String[], Call> method, String slug, String... segments) {
        List<String> path = new ArrayList<>(List.of(OPERATOR, ORGS));
        path.add(slug);
        path.addAll(List.of(segments));
        return method.apply(path.toArray(String[]::new));
    }
}
