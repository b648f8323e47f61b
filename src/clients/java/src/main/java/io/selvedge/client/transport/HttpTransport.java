package io.selvedge.client.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The default transport, over {@link HttpClient}. Redirects are not followed: a redirect would carry the credentials to
 * an address that nobody configured.
 */
public final class HttpTransport implements Transport {

    private final HttpClient http;

    /**
     * A transport with an {@link HttpClient} of its own.
     *
     * @param connectTimeout how long connecting may take
     */
    public HttpTransport(Duration connectTimeout) {
        this(HttpClient.newBuilder()
                .connectTimeout(connectTimeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build());
    }

    /**
     * A transport over a client that you configured, for example with a proxy or an SSL context.
     *
     * @param http the client to send with
     * @throws IllegalArgumentException when it follows redirects
     */
    public HttpTransport(HttpClient http) {
        if (http.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "the HttpClient follows redirects, which would carry the credentials to other hosts:"
                            + " build it with Redirect.NEVER");
        }
        this.http = http;
    }

    @Override
    public CompletableFuture<TransportResponse> send(TransportRequest request) {
        HttpRequest wire = wire(request);
        if (request.streamed()) {
            return cancelling(http.sendAsync(wire, BodyHandlers.ofInputStream()), answer -> {
                return response(answer, new StallGuard(answer.body(), request.timeout()));
            });
        }
        // The timeout of HttpRequest ends with the headers; this one includes the body.
        return cancelling(http.sendAsync(wire, BodyHandlers.ofByteArray()), answer -> {
                    return response(answer, new ByteArrayInputStream(answer.body()));
                })
                .orTimeout(request.timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Gives the exchange up, connection included, as soon as nobody waits for its answer any more. */
    private static <B> CompletableFuture<TransportResponse> cancelling(
            CompletableFuture<HttpResponse<B>> exchange, Function<HttpResponse<B>, TransportResponse> read) {
        CompletableFuture<TransportResponse> result = exchange.thenApply(read);
        result.whenComplete((answer, failure) -> {
            if (failure != null) {
                exchange.cancel(true);
            }
        });
        return result;
    }

    private static HttpRequest wire(TransportRequest request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(request.uri())
                .timeout(request.timeout())
                .version(versionFor(request.uri()))
                .method(
                        request.method(),
                        request.body().map(HttpTransport::publisher).orElseGet(BodyPublishers::noBody));
        request.headers().forEach(builder::setHeader);
        request.body().ifPresent(body -> builder.setHeader("Content-Type", body.contentType()));
        return builder.build();
    }

    /** Without TLS, HTTP/2 would begin with an upgrade that plain HTTP/1.1 servers stumble over. */
    private static HttpClient.Version versionFor(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
    }

    private static BodyPublisher publisher(RequestBody body) {
        if (body.length() == 0) {
            return BodyPublishers.noBody();
        }
        // A stated length, because the service cannot store a stream of unknown length.
        return BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> opened(body)), body.length());
    }

    /** Null is how a publisher is told that its stream cannot be opened; it then fails the request. */
    private static InputStream opened(RequestBody body) {
        try {
            return body.open();
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static TransportResponse response(HttpResponse<?> answer, InputStream body) {
        return new TransportResponse(answer.statusCode(), answer.headers().map(), body);
    }
}
