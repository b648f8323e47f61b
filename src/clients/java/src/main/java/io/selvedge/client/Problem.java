package io.selvedge.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.selvedge.client.transport.TransportResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** An error answer as read, whether it is a problem document or some gateway's page. Nothing in it is null. */
record Problem(String title, String detail, String code, String requestId, List<FieldError> errors, Map<String, Object> members) {

    /** Far more than any problem document of the service needs. */
    private static final int MAX_BYTES = 1 << 20;

    Problem {
        errors = List.copyOf(errors);
        members = Collections.unmodifiableMap(members);
    }

    static Problem read(TransportResponse response) throws IOException {
        JsonNode document = Json.WIRE.tree(response.body().readNBytes(MAX_BYTES));
        String requestId = document.path("requestId").asText("");
        return new Problem(
                document.path("title").asText(""),
                document.path("detail").asText(""),
                document.path("code").asText(ApiException.UNKNOWN_CODE),
                requestId.isEmpty() ? response.header("X-Request-Id").orElse("") : requestId,
                faults(document.path("errors")),
                Json.WIRE.members(document));
    }

    private static List<FieldError> faults(JsonNode list) {
        List<FieldError> faults = new ArrayList<>();
        for (JsonNode fault : list) {
            faults.add(new FieldError(
                    fault.path("path").asText(""), fault.path("message").asText("")));
        }
        return faults;
    }
}
