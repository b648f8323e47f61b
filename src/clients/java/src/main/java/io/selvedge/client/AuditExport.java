package io.selvedge.client;

import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/** Takes an audit trail out. */
final class AuditExport {

    private static final String HEAD = "Selvedge-Audit-Head";

    private AuditExport() {}

    /** All lines into the stream; the head of the chain is what is returned. */
    static CompletableFuture<String> toStream(Pipeline pipeline, Call call, OutputStream target) {
        return toStream(pipeline, call, AuditFormat.JSON_LINES, 0, target);
    }

    /** The lines behind a number. */
    static CompletableFuture<String> toStream(
            Pipeline pipeline, Call call, AuditFormat format, long after, OutputStream target) {
        Query query = Query.of("format", format.format()).and("after", after);
        return pipeline.send(call.query(query).kind(Call.Kind.DOWNLOAD), response -> {
            Download.toStream(WholeBody.of(response.body(), format.format()), target);
            return response.header(HEAD).orElse("0:");
        });
    }
}
