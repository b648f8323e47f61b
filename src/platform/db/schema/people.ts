// What signing in needs beside users and credentials. Secrets stand here as digests, or encrypted where they must be
// recovered.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/**
 * Who did what to people, keys and the organization itself. Only ever added to, until the sweep. Lines are chained in the order in which
 * they were committed, soon after they were: until then they have no number.
 */
export const audit = sqliteTable(
  'audit',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    createdOn: integer('created_on').notNull(),
    action: text().notNull(),
    actorType: text('actor_type').notNull(),
    /** None if no user was signed in. */
    actorId: text('actor_id'),
    address: text(),
    /** The user, key or invitation that it happened to. */
    subjectId: text('subject_id'),
    detail: text().notNull(),
    /** Its place in the chain of its organization, from 1. */
    number: integer(),
    /** Of the line before; empty for the first. */
    previousDigest: text('previous_digest'),
    digest: text(),
    /** The latest time in the chain so far: unlike `createdOn` it never runs back, so that what is swept is a beginning of the chain. */
    latestOn: integer('latest_on'),
  },
  t => [
    index('audit_org').on(t.orgId, t.createdOn),
    index('audit_created_on').on(t.createdOn),
    uniqueIndex('audit_number').on(t.orgId, t.number),
    index('audit_unchained').on(t.orgId, t.seq).where(sql`number IS NULL`),
    index('audit_latest_on').on(t.latestOn),
  ],
)

/** Sign-in attempts that have not succeeded yet, and addresses from which one has, by digests: whether there is such a person does not matter. */
export const attempts = sqliteTable(
  'attempts',
  {
    account: text().primaryKey(),
    /** None for an address that is known. */
    failures: integer().notNull(),
    lastOn: integer('last_on').notNull(),
    closedUntil: integer('closed_until').notNull(),
  },
  t => [
    // Failures are swept long before known addresses are, and along an index that holds none of them.
    index('attempts_failed_on').on(t.lastOn).where(sql`failures > 0`),
    index('attempts_known_on').on(t.lastOn).where(sql`failures = 0`),
  ],
)

export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    email: text().notNull(),
    role: text({ enum: ['admin', 'member'] }).notNull(),
    digest: text().notNull(),
    createdOn: integer('created_on').notNull(),
    createdById: text('created_by_id').notNull(),
    expiresOn: integer('expires_on').notNull(),
    acceptedOn: integer('accepted_on'),
    revokedOn: integer('revoked_on'),
    /** The session that the acceptance began: of simultaneous ones, one wins. */
    acceptedWith: text('accepted_with'),
  },
  t => [
    uniqueIndex('invitations_digest').on(t.digest),
    index('invitations_org').on(t.orgId, t.createdOn),
    index('invitations_email').on(t.email),
    index('invitations_expires_on').on(t.expiresOn),
  ],
)

/** Things that are good once and for a short time: password resets, sign-ins under way, codes to fetch a session with. */
export const tickets = sqliteTable(
  'tickets',
  {
    digest: text().primaryKey(),
    kind: text({ enum: ['password-reset', 'sso-state', 'sso-code'] }).notNull(),
    orgId: text('org_id').notNull(),
    userId: text('user_id'),
    detail: text().notNull(),
    expiresOn: integer('expires_on').notNull(),
  },
  t => [
    index('tickets_org').on(t.orgId),
    index('tickets_user').on(t.userId),
    index('tickets_expires_on').on(t.expiresOn),
  ],
)

/** Who a person is at an identity provider: an email may change hands there, the subject does not. */
export const signOns = sqliteTable(
  'sign_ons',
  {
    orgId: text('org_id').notNull(),
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: text('user_id').notNull(),
    createdOn: integer('created_on').notNull(),
  },
  t => [
    primaryKey({ columns: [t.orgId, t.issuer, t.subject] }),
    uniqueIndex('sign_ons_user').on(t.orgId, t.issuer, t.userId),
  ],
)

export const identityProviders = sqliteTable('identity_providers', {
  orgId: text('org_id').primaryKey(),
  issuer: text().notNull(),
  clientId: text('client_id').notNull(),
  /** Encrypted under SECRETS_KEY. */
  clientSecret: text('client_secret').notNull(),
  allowSignUp: integer('allow_sign_up', { mode: 'boolean' }).notNull(),
  updatedOn: integer('updated_on').notNull(),
})
