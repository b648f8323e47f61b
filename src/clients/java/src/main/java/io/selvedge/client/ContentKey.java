package io.selvedge.client;

import io.selvedge.client.transport.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** An idempotency key for a file: it follows from the caller's key and the content, which is part of the request (N64). */
final class ContentKey {

    private ContentKey() {}

    static String of(String key, RequestBody content) throws IOException {
        MessageDigest digest = sha256();
        digest.update((key + "\n").getBytes(StandardCharsets.UTF_8));
        try (InputStream in = new DigestInputStream(content.open(), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return "file-" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
