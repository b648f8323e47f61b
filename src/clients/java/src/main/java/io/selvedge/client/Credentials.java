package io.selvedge.client;

import java.util.Map;

/** The header fields that authenticate a request (N8). Messages never repeat a secret. */
final class Credentials {

    private Credentials() {}

    static Map<String, String> of(String apiKey, String accessToken, String orgSlug) {
        if ((apiKey == null) == (accessToken == null)) {
            throw new IllegalStateException("set either apiKey or accessToken");
        }
        if (apiKey != null) {
            return Map.of("X-Api-Key", checked("apiKey", apiKey), "X-Api-Org", slug(orgSlug));
        }
        String bearer = "Bearer " + checked("accessToken", accessToken);
        return orgSlug == null
                ? Map.of("Authorization", bearer)
                : Map.of("Authorization", bearer, "X-Api-Org", slug(orgSlug));
    }

    static Map<String, String> operator(String operatorKey) {
        return Map.of("X-Operator-Key", checked("operatorKey", operatorKey));
    }

    static String slug(String orgSlug) {
        if (orgSlug == null) {
            throw new IllegalStateException("set orgSlug");
        }
        return checked("orgSlug", orgSlug);
    }

    /** Told here, because later it would come up as a request that cannot be sent, with the secret in its message. */
    private static String checked(String what, String value) {
        if (!value.matches("[\\x21-\\x7e]+")) {
            throw new IllegalStateException(
                    what + " is empty or holds spaces, line breaks or other characters that it cannot have");
        }
        return value;
    }
}
