package io.selvedge.client.model;

/**
 * How many entities fit.
 *
 * @param count as many, or, where it is not exact, at least as many
 * @param isExact whether everything was counted
 */
public record EntityCount(int count, boolean isExact) {}
