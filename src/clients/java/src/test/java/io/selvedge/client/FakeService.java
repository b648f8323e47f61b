package io.selvedge.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on loopback that gives scripted answers and remembers what it was sent. */
final class FakeService implements AutoCloseable {

    /** What to do with a request. */
    @FunctionalInterface
    interface Answer {
        void to(HttpExchange exchange, Received request) throws IOException;
    }

    /** A request as it arrived. */
    record Received(String method, String path, String query, Map<String, List<String>> headers, byte[] body) {

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        JsonNode json() {
            try {
                return new ObjectMapper().readTree(body);
            } catch (IOException e) {
                throw new AssertionError("not JSON: " + text(), e);
            }
        }

        String header(String name) {
            return Optional.ofNullable(headers.get(name))
                    .map(values -> values.get(0))
                    .orElse(null);
        }

        String parameter(String name) {
            for (String pair : Optional.ofNullable(query).orElse("").split("&")) {
                if (pair.startsWith(name + "=")) {
                    return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
                }
            }
            return null;
        }

        String line() {
            return method + " " + path + (query == null ? "" : "?" + query);
        }
    }

    final List<Received> requests = new CopyOnWriteArrayList<>();
    private final Deque<Answer> script = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private Answer otherwise = json(500, "{\"code\":\"unscripted\"}");

    FakeService() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Adds an answer for the next request that has none yet. */
    FakeService then(Answer answer) {
        synchronized (script) {
            script.add(answer);
        }
        return this;
    }

    FakeService then(int status, String json, String... headers) {
        return then(json(status, json, headers));
    }

    /** The answer to every request beyond the script. */
    FakeService always(Answer answer) {
        otherwise = answer;
        return this;
    }

    static Answer json(int status, String body, String... headers) {
        return (exchange, request) -> {
            exchange.getResponseHeaders()
                    .set("Content-Type", status < 400 ? "application/json" : "application/problem+json");
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            bytes(status, body.getBytes(StandardCharsets.UTF_8)).to(exchange, request);
        };
    }

    static Answer bytes(int status, byte[] body) {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        };
    }

    /** Closes the connection without an answer. */
    static Answer breakOff() {
        return (exchange, request) -> exchange.close();
    }

    /** Promises more than it sends, then closes the connection. */
    static Answer breakMidway(byte[] part) {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, part.length + 1000L);
            exchange.getResponseBody().write(part);
            exchange.getResponseBody().flush();
            exchange.close();
        };
    }

    String baseUrl() {
        return "http://localhost:" + server.getAddress().getPort() + "/api";
    }

    Received only() {
        if (requests.size() != 1) {
            throw new AssertionError("expected one request, got "
                    + requests.stream().map(Received::line).toList());
        }
        return requests.get(0);
    }

    Received last() {
        return requests.get(requests.size() - 1);
    }

    /** A builder whose repetitions do not keep a test waiting. */
    SelvedgeClientBuilder builder() {
        return SelvedgeClient.builder()
                .baseUrl(baseUrl())
                .retryPolicy(new RetryPolicy(3, Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofSeconds(5)));
    }

    SelvedgeClient client() {
        return builder().apiKey("app:test").orgSlug("demo").build();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Received request = new Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                exchange.getRequestURI().getRawQuery(),
                exchange.getRequestHeaders(),
                exchange.getRequestBody().readAllBytes());
        requests.add(request);
        Answer answer;
        synchronized (script) {
            answer = script.isEmpty() ? otherwise : script.remove();
        }
        answer.to(exchange, request);
    }
}
