package io.selvedge.client.model;

import java.time.Instant;

/**
 * Something delivered to an endpoint, or not.
 *
 * @param id identifier; also the {@code webhook-id} of every try
 * @param endpointName the endpoint
 * @param triggerKey what happened
 * @param status {@code pending}, {@code delivered} or {@code failed}
 * @param attempts tries so far
 * @param nextAttemptOn when it is tried again, or null
 * @param responseStatus status of the last answer, or null
 * @param error what went wrong last, or null
 * @param payload what is delivered
 * @param createdOn when it happened
 * @param endedOn when it was delivered or given up, or null
 */
public record Delivery(
        String id,
        String endpointName,
        String triggerKey,
        String status,
        int attempts,
        Instant nextAttemptOn,
        Integer responseStatus,
        String error,
        Object payload,
        Instant createdOn,
        Instant endedOn) {}
