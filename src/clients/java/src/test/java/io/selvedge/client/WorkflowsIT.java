package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.selvedge.client.model.OutboundEndpoint;
import io.selvedge.client.model.TaskCallback;
import io.selvedge.client.model.Webhook;
import io.selvedge.client.model.WorkflowProcess;
import io.selvedge.client.model.WorkflowTask;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workflows and tasks of the real service, and the callback. */
@Timeout(180)
class WorkflowsIT {

    private static SelvedgeClient client;

    private final String key = "java|" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void login() {
        client = RunningService.get().login();
    }

    private static String workflow(String triggerKey, List<Map<String, Object>> tasks) {
        Map<String, Object> definition = Map.of(
                "name", triggerKey,
                "triggerKey", triggerKey,
                "isActive", true,
                "paths", List.of(Map.of("tasks", tasks)));
        return (String) client.entities().create("event-workflow", definition).get("id");
    }

    private static Map<String, Object> greeting() {
        return Map.of(
                "name", "greet", "action", "expression", "config", Map.of("output", Map.of("hello", "{event.who}")));
    }

    private static Map<String, Object> waiting() {
        return Map.of("name", "wait", "action", "wait", "async", true);
    }

    private WorkflowProcess startedAndAwaiting() {
        workflow(key, List.of(waiting(), greeting()));
        String id = client.workflows().request(key, Map.of("who", "Ada")).get(0).id();
        return Looks.until(
                () -> client.workflows().process(id), run -> !run.status().matches("pending|active"), run -> {});
    }

    private static WorkflowTask waitingTask(WorkflowProcess run) {
        return client.tasks()
                .list(ListQuery.all().where("processId", run.id()).where("status", "awaiting"))
                .results()
                .get(0);
    }

    @Test
    void aWorkflowRunsToItsEnd() {
        String workflow = workflow(key, List.of(greeting()));
        List<String> seen = new ArrayList<>();

        List<WorkflowProcess> runs = client.workflows().request(key, Map.of("who", "Ada"));
        WorkflowProcess done =
                client.workflows().waitFor(runs.get(0).id(), run -> seen.add(run.status()));

        assertEquals(1, runs.size());
        assertEquals("complete", done.status());
        assertEquals("complete", seen.get(seen.size() - 1));
        assertEquals(workflow, done.eventWorkflowId());
        assertEquals(key, done.triggerKey());
        assertEquals(Map.of("who", "Ada"), done.triggerEvent());
        assertEquals(Map.of("greet", Map.of("hello", "Ada")), done.taskOutputs());
        assertNotNull(done.endedOn());
        assertNull(done.error());
        assertEquals(
                409,
                assertThrows(ApiException.class, () -> client.workflows().cancel(done.id()))
                        .getStatus());
        assertTrue(
                client.workflows()
                        .processes(ListQuery.all().where("eventWorkflowId", workflow))
                        .results()
                        .stream()
                        .anyMatch(run -> run.id().equals(done.id())));
    }

    @Test
    void aTriggerKeyThatNobodyHasStartsNothing() {
        assertEquals(List.of(), client.workflows().request(key, Map.of()));
    }

    @Test
    void aSuccessfulCallbackLetsTheRunGoOn() {
        WorkflowProcess run = startedAndAwaiting();
        WorkflowTask task = waitingTask(run);
        client.tasks().setSubtext(task.id(), "half way");
        assertEquals("half way", client.workflows().process(run.id()).subtext());

        TaskCallback callback = TaskCallback.success(task.id())
                .log("one", "two")
                .output(Map.of("sent", 42))
                .subtext("sent");
        WorkflowTask done = client.tasks().callback(callback);

        assertEquals("complete", done.status());
        assertEquals(42, done.output().get("sent"));
        assertEquals(2, done.logs().size());
        assertTrue(done.logs().get(0).endsWith(" one"), done.logs().toString());
        WorkflowProcess ended =
                client.workflows().waitFor(run.id(), one -> {});
        assertEquals("complete", ended.status());
        assertEquals("sent", ended.subtext());
        assertEquals(Map.of("hello", "Ada"), ended.taskOutputs().get("greet"));
    }

    @Test
    void aFailedCallbackEndsTheRun() {
        WorkflowProcess run = startedAndAwaiting();

        client.tasks().callback(TaskCallback.failure(waitingTask(run).id()).log("the door was shut"));

        WorkflowProcess ended = client.workflows().waitFor(run.id(), one -> {});
        assertEquals("failed", ended.status());
        assertEquals(
                List.of("failed", "skipped"),
                client.tasks()
                        .list(ListQuery.all().where("processId", run.id()))
                        .results()
                        .stream()
                        .map(WorkflowTask::status)
                        .sorted()
                        .toList());
    }

    @Test
    void aRunIsCancelledWithItsTasks() {
        WorkflowProcess run = startedAndAwaiting();
        WorkflowTask task = waitingTask(run);

        assertEquals("cancelled", client.workflows().cancel(run.id()).status());

        assertEquals("cancelled", client.tasks().get(task.id()).status());
        assertEquals(
                409,
                assertThrows(ApiException.class, () -> client.tasks().callback(TaskCallback.success(task.id())))
                        .getStatus());
        assertEquals("cancelled", client.workflows().cancel(run.id()).status());
    }

    @Test
    void aFreeStandingTaskTakesOneCallbackAndItsRepetition() {
        WorkflowTask task = client.tasks().create("send order", Duration.ofHours(1));
        assertTrue(task.isAwaiting());
        assertTrue(task.async());
        assertNotNull(task.expiresOn());
        assertNull(task.processId());
        assertEquals("half way", client.tasks().setSubtext(task.id(), "half way").subtext());

        TaskCallback callback = TaskCallback.success(task.id()).log("sent").output(Map.of("orderId", 7));
        WorkflowTask done = client.tasks().callback(callback);

        assertEquals("complete", done.status());
        assertEquals(1, done.logs().size());
        assertEquals(done, client.tasks().callback(callback));
        assertEquals(done, client.tasks().get(task.id()));
        ApiException conflict = assertThrows(ApiException.class, () -> client.tasks()
                .callback(TaskCallback.failure(task.id())));
        assertEquals(409, conflict.getStatus());
        assertEquals("task_not_awaiting", conflict.getCode());
        assertEquals(
                "complete", ((Map<?, ?>) conflict.getProblem().get("outcome")).get("status"));
    }

    @Test
    void aTaskThatIsNotThereIs404() {
        ApiException absent = assertThrows(ApiException.class, () -> client.tasks()
                .callback(TaskCallback.success("absent-absent-ab")));
        assertEquals(404, absent.getStatus());
    }

    @Test
    void aSystemThatATaskCalledAnswersWithTheTokenItWasHanded() throws IOException, InterruptedException {
        BlockingQueue<JsonNode> calls = new LinkedBlockingQueue<>();
        HttpServer system = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        system.createContext("/orders", exchange -> {
            calls.add(Json.WIRE.tree(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        system.start();
        try {
            String name = "orders-" + key.substring(5);
            String url = "http://127.0.0.1:" + system.getAddress().getPort() + "/orders";
            RunningService service = RunningService.get();
            service.operator()
                    .endpoints()
                    .set(service.orgSlug(), name, OutboundEndpoint.securedByHeader(url, "X-Key", "hush"));
            Map<String, Object> config = Map.of("endpoint", name, "body", Map.of("who", "{event.who}"));
            workflow(key, List.of(Map.of("name", "order", "action", "http", "async", true, "config", config)));
            WorkflowProcess run =
                    client.workflows().request(key, Map.of("who", "Ada")).get(0);

            JsonNode call = calls.take();
            assertEquals("Ada", call.path("who").asText());
            SelvedgeClient.builder()
                    .callback(
                            call.path("callbackUrl").asText(),
                            call.path("callbackToken").asText())
                    .build()
                    .tasks()
                    .callback(TaskCallback.success(call.path("taskId").asText()).output(Map.of("orderId", 7)));

            WorkflowProcess done = client.workflows().waitFor(run.id(), one -> {});
            assertEquals("complete", done.status());
            assertEquals(7, ((Map<?, ?>) done.taskOutputs().get("order")).get("orderId"));
        } finally {
            system.stop(0);
        }
    }

    @Test
    void aWebhookStartsWorkflowsWithoutCredentials() throws IOException, InterruptedException {
        Webhook webhook = client.workflows().createWebhook("from the shop");
        Map<String, Object> other =
                client.entities().create("webhook", Map.of("name", "by the entity client"));
        assertNotNull(other.get("triggerUrl"));
        String workflow = workflow(
                webhook.triggerKey(),
                List.of(Map.of(
                        "name", "greet",
                        "action", "expression",
                        "config", Map.of("output", Map.of("hello", "{event.body.who}")))));

        HttpRequest call = HttpRequest.newBuilder(URI.create(webhook.triggerUrl()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"who\":\"Bo\"}"))
                .build();
        int status = HttpClient.newHttpClient()
                .send(call, HttpResponse.BodyHandlers.discarding())
                .statusCode();

        assertEquals(202, status);
        List<WorkflowProcess> runs = Looks.until(
                () -> client.workflows()
                        .processes(ListQuery.all().where("eventWorkflowId", workflow))
                        .results(),
                found -> !found.isEmpty(),
                found -> {});
        WorkflowProcess done = client.workflows().waitFor(runs.get(0).id(), run -> {});
        assertEquals(Map.of("greet", Map.of("hello", "Bo")), done.taskOutputs());
        assertFalse(webhook.toString().contains(webhook.triggerUrl()));
    }
}
