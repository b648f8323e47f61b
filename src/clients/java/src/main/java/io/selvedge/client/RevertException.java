package io.selvedge.client;

import io.selvedge.client.model.RevertProcess;

/** A revert that was waited for ended as failed or cancelled. */
public final class RevertException extends SelvedgeException {

    private static final long serialVersionUID = 1L;

    private final transient RevertProcess process;

    RevertException(RevertProcess process) {
        super("the revert " + process.id() + " is " + process.status()
                + (process.failure() == null ? "" : ": " + process.failure()));
        this.process = process;
    }

    /** The revert as it ended. */
    public RevertProcess getProcess() {
        return process;
    }
}
