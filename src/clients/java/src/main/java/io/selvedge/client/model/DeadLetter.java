package io.selvedge.client.model;

import java.time.Instant;

/**
 * A wake-up that the queues gave up.
 *
 * @param id identifier
 * @param organization slug, null where the organization is gone
 * @param kind what was to be woken
 * @param subjectId the run or delivery that it is about, or null
 * @param createdOn when it was given up
 */
public record DeadLetter(String id, String organization, String kind, String subjectId, Instant createdOn) {}
