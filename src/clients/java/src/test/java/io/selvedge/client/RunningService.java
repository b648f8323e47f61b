package io.selvedge.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    private static final int START_MINUTES = 3;
    private static final Pattern EXPORT = Pattern.compile("export (\\w+)=(\\S+)");
    private static final Pattern ADMIN = Pattern.compile("Admin of demo\\s+(\\S+)\\s+(\\S+)");
    private static final String STATE = "src/clients/java/target/service";

    private static RunningService started;
    private static AssertionError failure;

    private final Map<String, String> printed = new HashMap<>();

    private RunningService() {}

    static synchronized RunningService get() {
        if (failure != null) {
            throw new AssertionError("the service did not start for an earlier test", failure);
        }
        if (started == null) {
            RunningService service = new RunningService();
            try {
                service.start();
            } catch (AssertionError e) {
                failure = e;
                throw e;
            }
            started = service;
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

    SelvedgeClient login() {
        return SelvedgeClient.login(apiKey(), orgSlug(), baseUrl());
    }

    private void start() {
        try {
            Path root = Path.of("../../..").toRealPath();
            if (!Files.isDirectory(root.resolve("node_modules"))) {
                throw new AssertionError("run `npm ci` in the repository first");
            }
            deleteTree(root.resolve(STATE));
            List<Integer> ports = freePorts();
            Process process = new ProcessBuilder(
                            "npm",
                            "run",
                            "dev",
                            "--",
                            "--port",
                            ports.get(0).toString(),
                            "--inspector-port",
                            ports.get(1).toString(),
                            "--persist-to",
                            STATE)
                    .directory(root.toFile())
                    .redirectErrorStream(true)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process)));
            readUntilReady(process);
        } catch (IOException e) {
            throw new AssertionError("the service cannot be started", e);
        }
    }

    /** Goes on reading after the service is ready, or its output would fill the pipe and stop it. */
    private void readUntilReady(Process process) {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        StringBuffer output = new StringBuffer();
        Threads.daemon("service-output", () -> read(process, output, ready)).start();
        try {
            ready.get(START_MINUTES, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError("the service did not start:\n" + output, e);
        }
    }

    private void read(Process process, StringBuffer output, CompletableFuture<Void> ready) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
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

    private static void stop(Process process) {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle one : all) {
            try {
                one.onExit().get(5, TimeUnit.SECONDS);
            } catch (Exception stubborn) {
                one.destroyForcibly();
            }
        }
    }

    private static List<Integer> freePorts() {
        List<Integer> free = IntStream.rangeClosed(FIRST_PORT, LAST_PORT)
                .filter(RunningService::isFree)
                .limit(2)
                .boxed()
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
