package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.Page;
import io.selvedge.client.model.PublishRecord;

/**
 * What assortments can do beyond being entities.
 *
 * <pre>{@code
 * PublishRecord published = client.assortments().publish(assortmentId);
 * System.out.println(published.detail().adds() + " added");
 * }</pre>
 */
public final class AssortmentClient {

    private static final String ASSORTMENTS = "assortments";

    private final Pipeline pipeline;

    AssortmentClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** Publishes an assortment. */
    public PublishRecord publish(String id) {
        return await(pipeline.send(Call.post(ASSORTMENTS, id, "publish"), PublishRecord.class));
    }

    /** What an earlier publish changed. */
    public PublishRecord publishRecord(String id, String changeId) {
        return await(pipeline.send(Call.get(ASSORTMENTS, id, "history", changeId), PublishRecord.class));
    }

    /** One page of the publishes of an assortment, newest first. */
    public Page<PublishRecord> publishRecords(String id, ListQuery query) {
        return await(pipeline.page(Call.get(ASSORTMENTS, id, "history"), query, PublishRecord.class));
    }
}
