package io.selvedge.client;

import static io.selvedge.client.OperatorClient.OPERATOR;
import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.DataStore;
import io.selvedge.client.model.DeadLetter;
import io.selvedge.client.model.DeploymentStatus;
import io.selvedge.client.model.Page;
import io.selvedge.client.model.SealedSecrets;
import java.util.List;

/** How the deployment is: its status, its databases, what its queues gave up. */
public final class DeploymentClient {

    private static final String LETTERS = "dead-letters";

    private final Pipeline pipeline;

    DeploymentClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** What is deployed, whether its stores answer, and what stands still. */
    public DeploymentStatus status() {
        return await(pipeline.send(Call.get(OPERATOR, "status"), DeploymentStatus.class));
    }

    /** The databases of the deployment, and how full each is. */
    public List<DataStore> databases() {
        return await(pipeline.page(Call.get(OPERATOR, "databases"), DataStore.class).thenApply(Page::results));
    }

    /** One page of the wake-ups that the queues gave up, oldest first. */
    public Page<DeadLetter> deadLetters(ListQuery query) {
        return await(pipeline.page(Call.get(OPERATOR, LETTERS), query, DeadLetter.class));
    }

    /** Sends one of them again. */
    public void replay(String deadLetterId) {
        await(pipeline.send(Call.post(OPERATOR, LETTERS, deadLetterId, "replay")));
    }

    /** How many secrets are sealed under which key. */
    public List<SealedSecrets> secrets() {
        return await(pipeline.page(Call.get(OPERATOR, "secrets"), SealedSecrets.class).thenApply(Page::results));
    }
}
