package io.selvedge.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The real service of this repository, started once for all integration tests with an empty database and stopped when
 * the tests' process ends.
 */
final class RunningService {

    private static final int FIRST_PORT = 9750;
    private static final int LAST_PORT = 9799;
    /** Longer than the service's own patience with itself, whose message is then the one to read. */
    private static final int START_MINUTES = 5;

    private static final int TRIES = 3;
    private static final int STOP_SECONDS = 10;
    private static final Pattern PORT_TAKEN = Pattern.compile("(?i)EADDRINUSE|address already in use");
    private static final Pattern EXPORT = Pattern.compile("export (\\w+)=(\\S+)");
    private static final Pattern ADMIN = Pattern.compile("Admin of demo\\s+(\\S+)\\s+(\\S+)");
    private static final String STATE = "src/clients/java/target/service";

    private static RunningService started;
    private static AssertionError failure;

    private final Map<String, String> printed = new ConcurrentHashMap<>();
    private final StringBuffer output = new StringBuffer();

    private RunningService() {}

    static synchronized RunningService get() {
        if (failure != null) {
            throw new AssertionError("the service did not start for an earlier test", failure);
        }
        if (started == null) {
            try {
                started = startedService();
            } catch (AssertionError e) {
                failure = e;
                throw e;
            }
        }
        return started;
    }

    String baseUrl() {
        return printed.get("BASE_URL");
    }

    String orgSlug() {
        return printed.get("ORG_SLUG");
    }

    String apiKey() {
        return printed.get("API_KEY");
    }

    String adminEmail() {
        return printed.get("email");
    }

    String adminPassword() {
        return printed.get("password");
    }

    /** The variables that a program written from the README takes. */
    Map<String, String> environment() {
        return Map.of(
                "BASE_URL", baseUrl(),
                "ORG_SLUG", orgSlug(),
                "API_KEY", apiKey(),
                "ADMIN_EMAIL", adminEmail(),
                "ADMIN_PASSWORD", adminPassword(),
                "OPERATOR_KEY", printed.get("OPERATOR_KEY"));
    }

    OperatorClient operator() {
        return SelvedgeClient.builder().baseUrl(baseUrl()).operator(printed.get("OPERATOR_KEY"));
    }

    SelvedgeClient login() {
        return SelvedgeClient.login(apiKey(), orgSlug(), baseUrl());
    }

    /** Another run may take a port between the look at it and the start; then others are tried. */
    private static RunningService startedService() {
        for (int tries = 1; ; tries++) {
            RunningService service = new RunningService();
            try {
                service.start();
                return service;
            } catch (AssertionError e) {
                if (tries == TRIES || !PORT_TAKEN.matcher(service.output).find()) {
                    throw e;
                }
            }
        }
    }

    private void start() {
        try {
            Path root = Path.of("../../..").toRealPath();
            if (!Files.isDirectory(root.resolve("node_modules"))) {
                throw new AssertionError("run `npm ci` in the repository first");
            }
            deleteTree(root.resolve(STATE));
            List<String> ports = freePorts();
            Process process = new ProcessBuilder(command(ports))
                    .directory(root.toFile())
                    .redirectErrorStream(true)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process)));
            waitUntilReady(process);
            readOperatorKey(root.resolve(".dev.vars"));
        } catch (IOException e) {
            throw new AssertionError("the service cannot be started", e);
        }
    }

    private void readOperatorKey(Path vars) throws IOException {
        for (String line : Files.readAllLines(vars)) {
            if (line.startsWith("OPERATOR_KEY=")) {
                printed.put("OPERATOR_KEY", line.substring(line.indexOf('=') + 1));
            }
        }
    }

    private static List<String> command(List<String> ports) {
        String flags = "--port " + ports.get(0) + " --inspector-port " + ports.get(1) + " --persist-to " + STATE;
        return List.of(("npm run dev -- " + flags).split(" "));
    }

    private void waitUntilReady(Process process) {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        Thread reader = Threads.daemon("service-output", () -> read(process, ready));
        reader.start();
        try {
            ready.get(START_MINUTES, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // Its last words come after what was waited for.
            stop(process);
            join(reader);
            throw new AssertionError("the service did not start; this is its log:\n" + output, e);
        }
    }

    private static void join(Thread reader) {
        try {
            reader.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Goes on reading after the service is ready, or its output would fill the pipe and stop it. */
    private void read(Process process, CompletableFuture<Void> ready) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!ready.isDone() || ready.isCompletedExceptionally()) {
                    output.append(line).append('\n');
                }
                if (line.contains("Build failed")) {
                    ready.completeExceptionally(new IOException("it cannot be built"));
                }
                Matcher export = EXPORT.matcher(line);
                if (export.find()) {
                    printed.put(export.group(1), export.group(2));
                }
                Matcher admin = ADMIN.matcher(line);
                if (admin.find()) {
                    printed.put("email", admin.group(1));
                    printed.put("password", admin.group(2));
                    ready.complete(null);
                }
            }
        } catch (IOException closed) {
            // Ends below.
        }
        ready.completeExceptionally(new IOException("it ended"));
    }

    /** Asks all of its processes to end, the outermost first, and ends those that do not, with what they have begun since. */
    private static void stop(Process process) {
        Set<ProcessHandle> all = new LinkedHashSet<>(family(process.toHandle()));
        all.forEach(ProcessHandle::destroy);
        try {
            CompletableFuture.allOf(all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException stubborn) {
            all.stream()
                    .filter(ProcessHandle::isAlive)
                    .flatMap(one -> family(one).stream())
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static List<ProcessHandle> family(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants()).toList();
    }

    /** In any order, so that two runs on one machine seldom want the same. */
    private static List<String> freePorts() {
        List<Integer> ports =
                new ArrayList<>(IntStream.rangeClosed(FIRST_PORT, LAST_PORT).boxed().toList());
        Collections.shuffle(ports);
        List<String> free = ports.stream()
                .filter(RunningService::isFree)
                .limit(2)
                .map(String::valueOf)
                .toList();
        if (free.size() < 2) {
            throw new AssertionError("no free port between " + FIRST_PORT + " and " + LAST_PORT);
        }
        return free;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
