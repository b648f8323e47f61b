package io.selvedge.client.model;

import java.time.Instant;
import java.util.List;

/**
 * What is deployed, whether its stores answer, and what stands still.
 *
 * @param status {@code ok} or {@code degraded}
 * @param version version of the service
 * @param environment name of the environment
 * @param schema the schema of the database
 * @param missingBindings bindings that the service needs and has not
 * @param checks one for each store
 * @param organizations how many there are
 * @param loads those that wait or are under way
 * @param deliveries those of the last 24 hours
 * @param deadLetters wake-ups that the queues gave up
 */
public record DeploymentStatus(
        String status,
        String version,
        String environment,
        Schema schema,
        List<String> missingBindings,
        List<Check> checks,
        Organizations organizations,
        Loads loads,
        Deliveries deliveries,
        DeadLetters deadLetters) {

    /** Reads absent lists as empty ones. */
    public DeploymentStatus {
        missingBindings = Lists.orEmpty(missingBindings);
        checks = Lists.orEmpty(checks);
    }

    /** Whether nothing is amiss. */
    public boolean isOk() {
        return "ok".equals(status);
    }

    /**
     * The schema of the database.
     *
     * @param expected the newest migration that the service knows
     * @param applied the newest that the database has, or null
     */
    public record Schema(String expected, String applied) {}

    /**
     * Whether a store answers.
     *
     * @param name the store
     * @param isOk whether it answered
     * @param ms after how many milliseconds
     */
    public record Check(String name, boolean isOk, long ms) {}

    /**
     * How many organizations there are.
     *
     * @param total all of them
     * @param suspended those that are suspended
     */
    public record Organizations(long total, long suspended) {}

    /**
     * Loads that wait or are under way.
     *
     * @param waiting how many
     * @param oldestStepOn when the one that has stood longest last moved, or null
     */
    public record Loads(long waiting, Instant oldestStepOn) {}

    /**
     * Deliveries to endpoints.
     *
     * @param since from when on they are counted
     * @param delivered how many arrived
     * @param pending how many are still tried
     * @param failed how many were given up
     */
    public record Deliveries(Instant since, long delivered, long pending, long failed) {}

    /**
     * Wake-ups that the queues gave up.
     *
     * @param total how many
     * @param oldestOn of when the oldest is, or null
     */
    public record DeadLetters(long total, Instant oldestOn) {}
}
