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

/** What the README shows compiles, and its first class runs against the real service. */
class ReadmeIT {

    private static final String PRELUDE =
            """
            import io.selvedge.client.*;
            import io.selvedge.client.model.*;
            import io.selvedge.client.transport.*;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.stream.*;

            class Fragments {
                static void write(Path file, String text) {}
            """;

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
        compile("Example.java", BLOCKS.get(0));
        RunningService service = RunningService.get();
        ProcessBuilder run = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                folder + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                "Example");
        run.environment().put("BASE_URL", service.baseUrl());
        run.environment().put("ORG_SLUG", service.orgSlug());
        run.environment().put("API_KEY", service.apiKey());
        Path output = folder.resolve("output.txt");
        Process process =
                run.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));

        String printed = Files.readString(output);
        assertEquals(0, process.exitValue(), printed);
        for (String expected : List.of("Linen shirt, washed", "create {", "update {", "delete {", "404 not_found")) {
            assertTrue(printed.contains(expected), printed);
        }
    }

    @Test
    void everyFragmentCompiles() throws IOException {
        StringBuilder source = new StringBuilder(PRELUDE);
        for (int i = 1; i < BLOCKS.size(); i++) {
            source.append("static void f")
                    .append(i)
                    .append("(SelvedgeClient client) throws Exception {\n")
                    .append(BLOCKS.get(i))
                    .append("}\n");
        }
        assertTrue(BLOCKS.size() > 4);
        compile("Fragments.java", source.append("}\n").toString());
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
