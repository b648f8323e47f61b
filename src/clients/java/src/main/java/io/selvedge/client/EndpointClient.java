package io.selvedge.client;

import static io.selvedge.client.OperatorClient.org;
import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Delivery;
import io.selvedge.client.model.OutboundEndpoint;
import io.selvedge.client.model.Page;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The addresses that the service calls for an organization, and what was delivered to them.
 *
 * <pre>{@code
 * operator.endpoints().set("acme", "shop",
 *     OutboundEndpoint.securedByHmac("https://shop.example.com/hook", secret).events("item|*"));
 * }</pre>
 */
public final class EndpointClient {

    private static final String ENDPOINTS = "endpoints";
    private static final String DELIVERIES = "deliveries";

    private final Pipeline pipeline;

    EndpointClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** The endpoints of an organization. */
    public List<OutboundEndpoint> list(String slug) {
        return await(pipeline.results(org(Call::get, slug, ENDPOINTS), Json.WIRE, Json.type(OutboundEndpoint.class)));
    }

    /** One endpoint, its secrets masked. */
    public OutboundEndpoint get(String slug, String name) {
        return await(pipeline.send(org(Call::get, slug, ENDPOINTS, name), OutboundEndpoint.class));
    }

    /** Makes or replaces an endpoint. */
    public OutboundEndpoint set(String slug, String name, OutboundEndpoint endpoint) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("url", endpoint.url());
        body.put("events", endpoint.events());
        body.put("includeLoads", Boolean.TRUE.equals(endpoint.includeLoads()));
        if (endpoint.allowedFor() != null) {
            body.put("allowedFor", endpoint.allowedFor());
        }
        body.put("auth", endpoint.auth());
        return await(pipeline.send(
                org(Call::put, slug, ENDPOINTS, name).body(Json.WIRE.body(body)), OutboundEndpoint.class));
    }

    /** Removes an endpoint; what is not delivered yet fails. */
    public void delete(String slug, String name) {
        await(pipeline.send(org(Call::delete, slug, ENDPOINTS, name)));
    }

    /**
     * One page of what was delivered, newest first.
     *
     * @param status {@code pending}, {@code delivered} or {@code failed}; null for all
     */
    public Page<Delivery> deliveries(String slug, String name, String status, ListQuery query) {
        Query all = query.toQuery().and("status", status);
        return await(pipeline.page(org(Call::get, slug, ENDPOINTS, name, DELIVERIES).query(all), Delivery.class));
    }

    /** Delivers once more, with the same {@code webhook-id}. */
    public Delivery resend(String slug, String name, String id) {
        return await(pipeline.send(org(Call::post, slug, ENDPOINTS, name, DELIVERIES, id, "resend"), Delivery.class));
    }
}
