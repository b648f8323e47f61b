package io.selvedge.client;

import java.net.URI;

/**
 * The base address of the API, without a slash at its end. A bare origin gets {@code /api}, where the API always is
 * (N1).
 */
final class BaseUrl {

    private BaseUrl() {}

    static URI of(String baseUrl) {
        if (baseUrl == null) {
            throw new IllegalStateException("set baseUrl");
        }
        URI url = URI.create(baseUrl.trim());
        boolean web = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
        if (!web || url.getHost() == null || url.getRawQuery() != null || url.getRawUserInfo() != null) {
            throw new IllegalStateException("baseUrl must look like https://data.example.com/api");
        }
        String path = url.getRawPath().replaceAll("/+$", "");
        return URI.create(origin(url) + (path.isEmpty() ? "/api" : path));
    }

    static String origin(URI url) {
        return url.getScheme() + "://" + url.getRawAuthority();
    }
}
