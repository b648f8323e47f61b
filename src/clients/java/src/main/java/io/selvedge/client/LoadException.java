package io.selvedge.client;

import io.selvedge.client.model.LoaderProcess;
import java.util.List;

/** A load that was waited for ended as failed or cancelled. */
public final class LoadException extends SelvedgeException {

    private static final long serialVersionUID = 1L;

    private final transient LoaderProcess process;

    LoadException(LoaderProcess process) {
        super("the load " + process.id() + " is " + process.status()
                + process.issues().stream()
                        .filter(issue -> "error".equals(issue.severity()))
                        .findFirst()
                        .map(issue -> ": " + issue.message())
                        .orElse(""));
        this.process = process;
    }

    /** The load as it ended. */
    public LoaderProcess getProcess() {
        return process;
    }

    /** Its first faults and warnings. */
    public List<LoaderProcess.Issue> getIssues() {
        return process.issues();
    }
}
