package io.selvedge.client;

import static io.selvedge.client.Threads.await;

import io.selvedge.client.model.AuditEntry;
import io.selvedge.client.model.Invitation;
import io.selvedge.client.model.Member;
import io.selvedge.client.model.OpenSession;
import io.selvedge.client.model.Page;
import java.io.OutputStream;
import java.util.Map;

/**
 * The people of the organization and what they did, for admins who signed in. Lists take {@code limit} and
 * {@code nextPageKey} of a query and no criteria.
 *
 * <pre>{@code
 * Invitation invitation = client.people().invite("ada@example.com", "member");
 * System.out.println(invitation.acceptUrl()); // shown this once, to be handed over
 * }</pre>
 */
public final class PeopleClient {

    private static final String USERS = "users";
    private static final String INVITATIONS = "invitations";
    private static final String SESSIONS = "sessions";

    private final Pipeline pipeline;

    PeopleClient(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    /** One page of the organization's people. */
    public Page<Member> list(ListQuery query) {
        return await(pipeline.page(Call.get(USERS), query, Member.class));
    }

    /**
     * Changes what somebody may do.
     *
     * @param role {@code admin} or {@code member}
     */
    public Member setRole(String id, String role) {
        return await(pipeline.send(Call.put(USERS, id).body(Json.WIRE.body(Map.of("role", role))), Member.class));
    }

    /** Removes somebody; their sessions and user keys end at once. */
    public void remove(String id) {
        await(pipeline.send(Call.delete(USERS, id)));
    }

    /**
     * Invites somebody. The one-time link is given this once, so the call is never repeated by the client.
     *
     * @param role {@code admin} or {@code member}
     */
    public Invitation invite(String email, String role) {
        Map<String, String> invitation = Map.of("email", email, "role", role);
        return await(pipeline.send(Call.postOnce(INVITATIONS).body(Json.WIRE.body(invitation)), Invitation.class));
    }

    /** One page of invitations, newest first. */
    public Page<Invitation> invitations(ListQuery query) {
        return await(pipeline.page(Call.get(INVITATIONS), query, Invitation.class));
    }

    /** Revokes an open invitation. */
    public void revokeInvitation(String id) {
        await(pipeline.send(Call.delete(INVITATIONS, id)));
    }

    /** One page of the audit trail: sign-ins, keys, people and acts of the operator, newest first. */
    public Page<AuditEntry> audit(ListQuery query) {
        return await(pipeline.page(Call.get("audit"), query, AuditEntry.class));
    }

    /**
     * Writes the whole audit trail into a stream, which the caller closes: JSON lines, oldest first, each chained to the
     * one before by a digest.
     *
     * @return number and digest of the last line, such as {@code 57:kq…}; kept apart from the lines it shows what is
     *     missing at their end
     */
    public String exportAudit(OutputStream target) {
        return await(AuditExport.toStream(pipeline, Call.get("audit", "export"), target));
    }

    /**
     * Writes a part of the audit trail into a stream, which the caller closes, oldest first.
     *
     * @param after only lines behind this number; 0 for all
     * @return number and digest of the last line of the whole trail
     */
    public String exportAudit(AuditFormat format, long after, OutputStream target) {
        return await(AuditExport.toStream(pipeline, Call.get("audit", "export"), format, after, target));
    }

    /**
     * One page of open sessions, newest first.
     *
     * @param userId the member whose sessions they are, for admins; null for the own ones
     */
    public Page<OpenSession> sessions(String userId, ListQuery query) {
        Query all = query.toQuery().and("userId", userId);
        return await(pipeline.page(Call.get("auth", SESSIONS).query(all), OpenSession.class));
    }

    /** Ends a session at once: an own one, or for admins that of any member. */
    public void endSession(String id) {
        await(pipeline.send(Call.delete("auth", SESSIONS, id)));
    }

    /** Changes the password of the user who signed in; all other sessions of theirs end. */
    public void changePassword(String currentPassword, String newPassword) {
        Map<String, String> body = Map.of("currentPassword", currentPassword, "newPassword", newPassword);
        await(pipeline.send(Call.putOnce("auth", "password").body(Json.WIRE.body(body))));
    }
}
