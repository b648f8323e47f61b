package io.selvedge.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.function.Function;

/** Times and days as the service writes them, ISO 8601; spares users the jsr310 dependency for these two types. */
final class TimeModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    TimeModule() {
        add(Instant.class, Instant::parse, "not an ISO 8601 time");
        add(LocalDate.class, LocalDate::parse, "not an ISO 8601 date");
    }

    private <T> void add(Class<T> type, Parser<T> parser, String fault) {
        addSerializer(type, new Writer<>(type));
        addDeserializer(type, new Reader<>(type, parser, fault));
    }

    private interface Parser<T> extends Function<String, T>, Serializable {}

    private static final class Writer<T> extends StdScalarSerializer<T> {
        private static final long serialVersionUID = 1L;

        Writer(Class<T> type) {
            super(type);
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeString(value.toString());
        }
    }

    private static final class Reader<T> extends StdScalarDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final Class<T> type;
        private final Parser<T> parser;
        private final String fault;

        Reader(Class<T> type, Parser<T> parser, String fault) {
            super(type);
            this.type = type;
            this.parser = parser;
            this.fault = fault;
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            String text = in.getValueAsString();
            try {
                return parser.apply(text == null ? "" : text);
            } catch (DateTimeException e) {
                return type.cast(context.handleWeirdStringValue(type, text, fault));
            }
        }
    }
}
