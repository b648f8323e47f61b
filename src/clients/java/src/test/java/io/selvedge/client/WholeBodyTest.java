package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeBodyTest {

    private static String read(String format, String text) throws IOException {
        byte[] body = text.replace("~", "\n").replace("'", "\"").getBytes(StandardCharsets.UTF_8);
        return new String(
                WholeBody.of(new ByteArrayInputStream(body), format).readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {"csv;a,b~1,2~", "csv;a,b~'1~',2~", "jsonl;{'id':'1'}~", "jsonl;``", "csv;``"})
    void isReadToItsEnd(String format, String text) throws IOException {
        assertEquals(text.replace("~", "\n").replace("'", "\""), read(format, text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "csv;a,b~1,2",
                "csv;a,b~1,2~The export broke off,,~",
                "csv;a,b~'1~",
                "jsonl;{'id':'1'}~{'id':'2','na",
                "jsonl;{'id':'1'}~{'problem':{}}~"
            })
    void isRefusedWhereSomethingIsMissing(String format, String text) {
        assertThrows(IOException.class, () -> read(format, text));
    }
}
