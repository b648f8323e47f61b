package io.selvedge.client;

/**
 * Something went wrong between the caller and the service: the connection broke, a timeout passed, an answer could not
 * be read. An answer of the service that reports an error is the subclass {@link ApiException}.
 */
public class SelvedgeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * An error without a cause.
     *
     * @param message what went wrong
     */
    public SelvedgeException(String message) {
        super(message);
    }

    /**
     * An error with its cause.
     *
     * @param message what went wrong
     * @param cause what made it go wrong, may be null
     */
    public SelvedgeException(String message, Throwable cause) {
        super(message, cause);
    }
}
