package io.selvedge.client.model;

/**
 * What became of one property.
 *
 * @param oldValue value before, null when there was none
 * @param newValue value after, null when it was cleared
 */
public record PropertyChange(Object oldValue, Object newValue) {}
