package io.selvedge.client.model;

/**
 * How many secrets are sealed under a key. A change of the key is over when one is left.
 *
 * @param key what the key is known by
 * @param isInForce whether new secrets are sealed under it
 * @param secrets how many are sealed under it
 */
public record SealedSecrets(String key, boolean isInForce, long secrets) {}
