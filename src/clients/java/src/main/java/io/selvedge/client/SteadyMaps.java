package io.selvedge.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code Map.of} gives has another order in each run of a program. It gets one here, so that a body that is sent again
 * by a program that was restarted is the same.
 */
final class SteadyMaps extends SimpleModule {

    private static final long serialVersionUID = 1L;

    SteadyMaps() {
        addSerializer(new Writer(Map.of().getClass()));
    }

    private static final class Writer extends StdSerializer<Map<?, ?>> {
        private static final long serialVersionUID = 1L;

        Writer(Class<?> shuffled) {
            super(shuffled, false);
        }

        @Override
        public void serialize(Map<?, ?> value, JsonGenerator out, SerializerProvider provider) throws IOException {
            Map<Object, Object> sorted = new TreeMap<>(Comparator.comparing(String::valueOf));
            sorted.putAll(value);
            provider.defaultSerializeValue(sorted, out);
        }

        @Override
        public boolean isEmpty(SerializerProvider provider, Map<?, ?> value) {
            return value.isEmpty();
        }
    }
}
