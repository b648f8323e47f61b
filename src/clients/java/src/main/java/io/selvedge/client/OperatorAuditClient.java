package io.selvedge.client;

import static io.selvedge.client.OperatorClient.OPERATOR;
import static io.selvedge.client.OperatorClient.org;
import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.AuditEntry;
import io.selvedge.client.model.Page;
import java.io.OutputStream;

/** The audit trails of organizations, and that of the acts which outlive their organization: deletions. */
public final class OperatorAuditClient {

    private static final String AUDIT = "audit";
    private static final String EXPORT = "export";

    private final Pipeline pipeline;

    OperatorAuditClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** One page of the audit trail of an organization, newest first. */
    public Page<AuditEntry> list(String slug, ListQuery query) {
        return await(pipeline.page(org(Call::get, slug, AUDIT), query, AuditEntry.class));
    }

    /** One page of the acts that outlive their organization, newest first. */
    public Page<AuditEntry> list(ListQuery query) {
        return await(pipeline.page(Call.get(OPERATOR, AUDIT), query, AuditEntry.class));
    }

    /**
     * Writes the whole audit trail of an organization into a stream, which the caller closes: JSON lines, oldest first,
     * each chained to the one before by a digest.
     *
     * @return number and digest of the last line, such as {@code 57:kq…}
     */
    public String export(String slug, OutputStream target) {
        return await(AuditExport.toStream(pipeline, org(Call::get, slug, AUDIT, EXPORT), target));
    }

    /** The same of the acts that outlive their organization. */
    public String export(OutputStream target) {
        return await(AuditExport.toStream(pipeline, Call.get(OPERATOR, AUDIT, EXPORT), target));
    }

    /**
     * Writes a part of the audit trail of an organization into a stream, which the caller closes, oldest first.
     *
     * @param after only lines behind this number; 0 for all
     * @return number and digest of the last line of the whole trail
     */
    public String export(String slug, AuditFormat format, long after, OutputStream target) {
        return await(AuditExport.toStream(pipeline, org(Call::get, slug, AUDIT, EXPORT), format, after, target));
    }

    /** The same of the acts that outlive their organization. */
    public String export(AuditFormat format, long after, OutputStream target) {
        return await(AuditExport.toStream(pipeline, Call.get(OPERATOR, AUDIT, EXPORT), format, after, target));
    }
}
