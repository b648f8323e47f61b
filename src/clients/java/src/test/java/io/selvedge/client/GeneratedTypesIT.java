package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.TypeDefinition;
import io.selvedge.client.model.TypeDefinition.Property;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** N54: records that the command line makes of the types of the real service are compiled and read with. */
class GeneratedTypesIT {

    @Test
    void entitiesAreReadAsTheRecordOfTheirType(@TempDir Path folder) throws Exception {
        RunningService service = RunningService.get();
        SelvedgeClient client = service.login();
        String word = "r" + UUID.randomUUID().toString().substring(0, 8);
        String typePath = "custom-entity:" + word;
        client.types()
                .create(TypeDefinition.of(
                        typePath,
                        "A */ label \\u000a",
                        Property.of("heel height", "Heel", "number"),
                        Property.of("class", "Class", "string")));
        Object id = client.entities()
                .create("custom-entity", Map.of("typePath", typePath, "heel height", 3.5, "class", "A"))
                .get("id");

        Path source = folder.resolve("ProductTypes.java");
        run(service, "npm run -s selvedge -- types generate --language java --out " + source);
        compile(source, folder);

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            String name = "CustomEntity" + Character.toUpperCase(word.charAt(0)) + word.substring(1);
            Class<?> type = loader.loadClass("ProductTypes$" + name);
            Object read = client.entities(type).get("custom-entity", (String) id);
            assertEquals(3.5, type.getMethod("heelHeight").invoke(read));
            assertEquals("A", type.getMethod("_class").invoke(read));
            assertEquals(typePath, type.getMethod("typePath").invoke(read));
            assertEquals(typePath, type.getField("TYPE_PATH").get(null));
        }
    }

    private static void run(RunningService service, String command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command.split(" "))
                .directory(Path.of("../../..").toFile())
                .redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "SELVEDGE_API_KEY", service.apiKey(),
                        "SELVEDGE_ORG", service.orgSlug(),
                        "SELVEDGE_BASE_URL", service.baseUrl()));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), said);
        assertEquals(0, process.exitValue(), said);
    }

    private static void compile(Path source, Path folder) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d", folder.toString(), "-Xlint:all", "-classpath", System.getProperty("java.class.path"));
            boolean isDone = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertTrue(isDone, said + Files.readString(source));
        }
    }
}
