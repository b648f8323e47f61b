package io.selvedge.client.model;

/**
 * An address that outside systems call to start workflows.
 *
 * @param id identifier
 * @param name name
 * @param triggerKey what the workflows to start have as their {@code triggerKey}
 * @param triggerUrl the secret address, null in every answer but the first
 */
public record Webhook(String id, String name, String triggerKey, String triggerUrl) {

    /** Leaves the address out: whoever knows it can call it. */
    @Override
    public String toString() {
        return "Webhook[id=" + id + ", name=" + name + "]";
    }
}
