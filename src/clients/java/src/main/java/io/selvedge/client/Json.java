package io.selvedge.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.selvedge.client.transport.RequestBody;
import io.selvedge.client.transport.TransportResponse;
import java.io.IOException;
import java.util.Map;

/**
 * JSON to and from objects; every failure is a {@link SelvedgeException}, never an IOException that looks like a
 * broken connection.
 */
final class Json {

    static final Json WIRE = new Json(defaultMapper());

    private final ObjectMapper mapper;

    Json(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Leaves the null fields of classes out, because on update a null clears the field; nulls in maps were put there on
     * purpose and stay.
     */
    static ObjectMapper defaultMapper() {
        return JsonMapper.builder()
                .addModule(new TimeModule())
                .addModule(new SteadyMaps())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .build();
    }

    static JavaType type(Class<?> type) {
        return TypeFactory.defaultInstance().constructType(type);
    }

    static JavaType type(TypeReference<?> type) {
        return TypeFactory.defaultInstance().constructType(type);
    }

    static JavaType type(Class<?> generic, JavaType parameter) {
        return TypeFactory.defaultInstance().constructParametricType(generic, parameter);
    }

    static JavaType mapType() {
        return TypeFactory.defaultInstance().constructMapType(Map.class, String.class, Object.class);
    }

    RequestBody body(Object value) {
        try {
            return RequestBody.ofBytes("application/json", mapper.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new SelvedgeException(
                    "cannot write " + value.getClass().getName() + " as JSON: " + e.getOriginalMessage(), e);
        }
    }

    String text(Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new SelvedgeException("cannot write the query as JSON: " + e.getOriginalMessage(), e);
        }
    }

    <T> T read(TransportResponse response, JavaType type) throws IOException {
        return read(response, response.body().readAllBytes(), type);
    }

    /** The answer whose body has been read. */
    <T> T read(TransportResponse response, byte[] body, JavaType type) {
        try {
            return mapper.readValue(body, type);
        } catch (IOException e) {
            throw new SelvedgeException(unreadable(response, type), e);
        }
    }

    private static String unreadable(TransportResponse response, JavaType type) {
        String kind = response.header("Content-Type").orElse("no content type");
        String request = response.header("X-Request-Id").map(id -> " (request " + id + ")").orElse("");
        return kind.matches("(?i)application/([\\w.-]+\\+)?json\\b.*")
                ? "the answer " + response.status() + " with " + kind + " cannot be read as " + type.toCanonical() + request
                : "the server answered " + response.status() + " with " + kind
                        + " instead of JSON. Is baseUrl the address of the API?" + request;
    }

    /** The members of an object; none where it is missing. */
    Map<String, Object> members(JsonNode object) {
        return object.isObject() ? mapper.convertValue(object, mapType()) : Map.of();
    }

    /** Missing instead of a failure: an error page need not be JSON. */
    JsonNode tree(byte[] json) {
        try {
            JsonNode tree = mapper.readTree(json);
            return tree.isObject() ? tree : MissingNode.getInstance();
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }
}
