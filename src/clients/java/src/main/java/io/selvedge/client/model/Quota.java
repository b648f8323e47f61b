package io.selvedge.client.model;

/**
 * What an organization may have of something, and has.
 *
 * @param limit how much it may have
 * @param isUsual whether nobody has set another limit
 * @param used how much it has
 */
public record Quota(long limit, boolean isUsual, long used) {}
