package io.selvedge.client.model;

import java.time.Instant;

/**
 * The move of an organization to another database.
 *
 * @param id id of the move
 * @param organization slug of the organization
 * @param from name of the database that it leaves
 * @param to name of the database that it goes to
 * @param state {@code moving}, {@code complete}, {@code cancelled} or {@code failed}
 * @param phase what is being done
 * @param percent how much of it is done
 * @param stoppedMs how long writes were refused, in milliseconds
 * @param startedOn when it began
 * @param endedOn when it ended, or null
 * @param error why it failed, or null
 */
public record OrganizationMove(
        String id,
        String organization,
        String from,
        String to,
        String state,
        String phase,
        int percent,
        long stoppedMs,
        Instant startedOn,
        Instant endedOn,
        String error) {}
