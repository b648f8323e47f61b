package io.selvedge.client;

import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** Takes an audit trail out. */
final class AuditExport {

    private static final String HEAD = "Selvedge-Audit-Head";

    private AuditExport() {}

    /** The lines into the stream; the head of the chain is what is returned. */
    static CompletableFuture<String> toStream(Pipeline pipeline, Call call, OutputStream target) {
        return pipeline.send(call.kind(Call.Kind.DOWNLOAD), response -> {
            Download.toStream(response.body(), target);
            return response.header(HEAD).orElse("0:");
        });
    }
}
