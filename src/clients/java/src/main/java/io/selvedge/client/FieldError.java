package io.selvedge.client;

import java.io.Serializable;

/**
 * One fault in what was sent.
 *
 * @param path JSON Pointer to the value at fault, for example {@code /typePath}; empty for the whole body
 * @param message what is wrong with it
 */
public record FieldError(String path, String message) implements Serializable {

    @Override
    public String toString() {
        return path + ": " + message;
    }
}
