package io.selvedge.client.model;

/**
 * One of the databases that organizations are spread over.
 *
 * @param name name of its binding
 * @param state {@code open}, {@code filling} or {@code unavailable}
 * @param bytes how large it is, null where it does not answer
 * @param organizations how many organizations are in it
 * @param warning what is to be done about it, or null
 */
public record DataStore(String name, String state, Long bytes, int organizations, String warning) {}
