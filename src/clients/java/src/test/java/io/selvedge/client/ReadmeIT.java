package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows compiles and runs against the real service. */
class ReadmeIT {

    private static final List<String> BLOCKS = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeAll
    static void read() throws IOException {
        Matcher block = Pattern.compile("(?ms)^```java\\n(.*?)^```$").matcher(Files.readString(Path.of("README.md")));
        while (block.find()) {
            BLOCKS.add(block.group(1));
        }
    }

    @Test
    void theExampleDoesWhatItSays() throws IOException, InterruptedException {
        String printed = run("Example", BLOCKS.get(0));

        for (String expected : List.of("Linen shirt, washed", "create {", "update {", "delete {", "404 not_found")) {
            assertTrue(printed.contains(expected), printed);
        }
    }

    @Test
    void everyPieceRunsAsItStands() throws IOException, InterruptedException {
        List<String> pieces = BLOCKS.subList(2, BLOCKS.size());
        StringBuilder source = new StringBuilder(BLOCKS.get(1)).append("class Pieces {\n");
        StringBuilder main = new StringBuilder(
                """
                public static void main(String[] args) throws Exception {
                SelvedgeClient client = SelvedgeClient.login(
                    System.getenv("API_KEY"), System.getenv("ORG_SLUG"), System.getenv("BASE_URL"));
                """);
        for (int i = 0; i < pieces.size(); i++) {
            String signature = "piece" + i + "(SelvedgeClient client) throws Exception {\n";
            source.append("static void ").append(signature).append(pieces.get(i)).append("}\n");
            main.append("piece").append(i).append("(client);\n");
        }
        String printed = run("Pieces", source.append(main).append("}\n}\n").toString());

        for (String expected : List.of(
                "Item[id=",
                " items, more: ",
                "price",
                "item:",
                "Style No of 24 bytes",
                "100.0 %",
                "0 added",
                "cancelled",
                "complete",
                "admin",
                "key_rotated",
                "Blue")) {
            assertTrue(printed.contains(expected), expected + " is not in: " + printed);
        }
    }

    private String run(String name, String source) throws IOException, InterruptedException {
        compile(name + ".java", source);
        RunningService service = RunningService.get();
        ProcessBuilder run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        folder + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                        name)
                .directory(folder.toFile());
        run.environment().putAll(service.environment());
        Path output = folder.resolve("output.txt");
        Process process =
                run.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String printed = Files.readString(output);
        assertTrue(ended, printed);
        assertEquals(0, process.exitValue(), printed);
        return printed;
    }

    private void compile(String name, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(name), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            boolean compiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertTrue(compiled, messages.toString());
        }
    }
}
