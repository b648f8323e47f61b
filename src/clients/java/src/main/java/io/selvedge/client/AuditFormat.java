package io.selvedge.client;

/** What the lines of an audit trail are written as. */
public enum AuditFormat {
    /** JSON lines, each chained to the one before by a digest: only these can be verified. */
    JSON_LINES("jsonl"),
    /** CSV, for spreadsheets. */
    CSV("csv");

    private final String format;

    AuditFormat(String format) {
        this.format = format;
    }

    String format() {
        return format;
    }
}
