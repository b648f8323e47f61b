// Organizations, the people in them, and everything that can prove who is calling.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const orgs = sqliteTable(
  'orgs',
  {
    id: text().primaryKey(),
    slug: text().notNull(),
    name: text().notNull(),
    tier: text({ enum: ['standard', 'high', 'internal'] }).notNull(),
    createdOn: integer('created_on').notNull(),
    suspendedOn: integer('suspended_on'),
    /** When the operator last took an export; an organization is deleted only after one. */
    exportedOn: integer('exported_on'),
    /** Of the state that it holds: how many commits there had been. None: it is from before they were kept. */
    exportedCommits: integer('exported_commits'),
    /** No credential is accepted any more; the sweep removes the rest. */
    deletedOn: integer('deleted_on'),
    /** How long change records are kept; none: for ever (N25). */
    historyRetentionDays: integer('history_retention_days'),
    /** After how long change records move into files; none: never (N58). */
    historyArchiveDays: integer('history_archive_days'),
    /** Where its data is (N56), and how often that has changed. */
    database: text().notNull().default('DB'),
    epoch: integer().notNull().default(1),
    /** The organization is being moved (N57): a reader checks whether it is still in this database. */
    moving: integer({ mode: 'boolean' }).notNull().default(false),
  },
  t => [uniqueIndex('orgs_slug').on(t.slug)],
)

/** Organizations that were deleted: what was under way then may still write, and is swept until nothing can be any more (N70). */
export const tombstones = sqliteTable('tombstones', {
  /** Of the organization. */
  id: text().primaryKey(),
  deletedOn: integer('deleted_on').notNull(),
})

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    createdOn: integer('created_on').notNull(),
  },
  t => [uniqueIndex('users_email').on(t.email)],
)

export const memberships = sqliteTable(
  'memberships',
  {
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    role: text({ enum: ['admin', 'member'] }).notNull(),
    /**
     * Emails are not verified, so a password is set for one organization only: a password that
     * counted everywhere could be set in one organization and used in another. None: single sign-on only.
     */
    passwordHash: text('password_hash'),
    createdOn: integer('created_on').notNull(),
  },
  t => [primaryKey({ columns: [t.orgId, t.userId] }), index('memberships_user').on(t.userId)],
)

/** Keys, tokens and sessions: only their digests are kept (N9). */
export const credentials = sqliteTable(
  'credentials',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    kind: text({ enum: ['app', 'user', 'token', 'session'] }).notNull(),
    userId: text('user_id'),
    name: text().notNull(),
    /** The first characters, for recognition. */
    start: text().notNull(),
    digest: text().notNull(),
    scope: text({ enum: ['read', 'write'] }).notNull(),
    tier: text({ enum: ['standard', 'high', 'internal'] }),
    createdOn: integer('created_on').notNull(),
    createdById: text('created_by_id').notNull(),
    lastUsedOn: integer('last_used_on'),
    expiresOn: integer('expires_on'),
    revokedOn: integer('revoked_on'),
    /** The key that a rotation put in its place. */
    replacedById: text('replaced_by_id'),
    /** JSON lists: the entity types that it is for, and the addresses that it may be used from; none: all of them. */
    entityTypes: text('entity_types'),
    addresses: text(),
  },
  t => [
    uniqueIndex('credentials_digest').on(t.digest),
    index('credentials_org').on(t.orgId, t.kind, t.createdOn),
    index('credentials_user').on(t.userId),
    index('credentials_expires_on').on(t.kind, t.expiresOn),
  ],
)

/** Organizations that are being brought back from an archive (N63): no credential is accepted before the restore is complete. */
export const restores = sqliteTable(
  'restores',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    /** What it will be called. */
    slug: text().notNull(),
    state: text({ enum: ['receiving', 'completing', 'complete'] }).notNull(),
    /** Parts are taken in their order, each once. */
    nextPart: integer('next_part').notNull(),
    /** Of the rows so far, and of all of them by what the archive says. */
    digest: text().notNull(),
    expectedDigest: text('expected_digest').notNull(),
    /** What later parts and the end need, as JSON. */
    notes: text().notNull(),
    createdOn: integer('created_on').notNull(),
    touchedOn: integer('touched_on').notNull(),
  },
  t => [uniqueIndex('restores_org').on(t.orgId)],
)

/** The last move of each organization to another database (N57), under way or over. */
export const moves = sqliteTable('moves', {
  orgId: text('org_id').primaryKey(),
  id: text().notNull(),
  source: text().notNull(),
  target: text().notNull(),
  /** Under which it is known in the source. */
  epoch: integer().notNull(),
  phase: text({
    enum: [
      'clearing',
      'copying',
      'comparing',
      'following',
      'stopped',
      'opening',
      'undoing',
      'complete',
      'cancelled',
      'failed',
    ],
  }).notNull(),
  /** Counts the steps of all its moves: a late worker has a lower number. */
  step: integer().notNull(),
  /** How far it is, as JSON. */
  notes: text().notNull(),
  error: text(),
  startedOn: integer('started_on').notNull(),
  touchedOn: integer('touched_on').notNull(),
  /** Since when it refuses writes. */
  stoppedOn: integer('stopped_on'),
  endedOn: integer('ended_on'),
})

/** What moves have left behind, and when it goes. */
export const oldCopies = sqliteTable(
  'old_copies',
  {
    orgId: text('org_id').notNull(),
    database: text().notNull(),
    sweepOn: integer('sweep_on').notNull(),
  },
  t => [primaryKey({ columns: [t.orgId, t.database] }), index('old_copies_sweep_on').on(t.sweepOn)],
)

/** Ranges of positions: only its database gives out those of a range, so that no two rows of a deployment have the same. */
export const positionRanges = sqliteTable('position_ranges', {
  id: integer().primaryKey({ autoIncrement: true }),
  database: text().notNull(),
  createdOn: integer('created_on').notNull(),
  /** Since when the database gives them out. */
  reservedOn: integer('reserved_on'),
})
