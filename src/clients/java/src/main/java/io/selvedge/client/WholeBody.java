package io.selvedge.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A body of lines that is whole. One that could not go on says so in its last line, because its answer may end all the
 * same: a row of CSV with a cell too many, or a JSON line with a problem.
 */
final class WholeBody extends FilterInputStream {

    private static final byte[] PROBLEM = "{\"problem\":".getBytes(StandardCharsets.UTF_8);

    private final boolean isCsv;
    private int columns;
    private int cells = 1;
    private boolean isQuoted;
    /** How many bytes of a line begin as a problem does; more than all: it is another line. */
    private int alike;

    private int last = '\n';

    private WholeBody(InputStream in, boolean isCsv) {
        super(in);
        this.isCsv = isCsv;
    }

    /** {@code format}: as it was asked for. */
    static InputStream of(InputStream body, String format) {
        return new WholeBody(body, !"jsonl".equals(format));
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        if (next < 0) {
            end();
        } else {
            take(next);
        }
        return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        if (count < 0) {
            end();
        }
        for (int at = offset; at < offset + count; at++) {
            take(buffer[at]);
        }
        return count;
    }

    private void take(int next) throws IOException {
        last = next;
        if (isCsv ? isRagged(next) : isProblem(next)) {
            throw brokenOff();
        }
    }

    private boolean isRagged(int next) {
        if (next == '"') {
            isQuoted = !isQuoted;
        } else if (!isQuoted && next == ',') {
            cells++;
        } else if (!isQuoted && next == '\n') {
            int found = cells;
            cells = 1;
            columns = columns == 0 ? found : columns;
            return found != columns;
        }
        return false;
    }

    private boolean isProblem(int next) {
        if (next == '\n') {
            alike = 0;
        } else {
            alike = alike < PROBLEM.length && next == PROBLEM[alike] ? alike + 1 : PROBLEM.length + 1;
        }
        return alike == PROBLEM.length;
    }

    private void end() throws IOException {
        if (last != '\n' || isQuoted) {
            throw brokenOff();
        }
    }

    private static IOException brokenOff() {
        return new IOException("the service could not go on: what follows is missing");
    }
}
