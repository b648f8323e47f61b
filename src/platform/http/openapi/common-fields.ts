// Fields that mean the same wherever they occur: their descriptions and examples, once for the whole API document. A field
// that means more in one place is described in its contract, or in the `descriptions.ts` beside it.

export interface CommonField {
  description?: string
  example?: unknown
}

const ID = 'Vn3KqJ8sW2xT0aLb'
const PERSON = 'b7LwN2kVf5GtS9oA'

export const EXAMPLE_ID = ID
export const EXAMPLE_TIME = '2026-03-02T09:30:00.000Z'

export const COMMON_FIELDS: Record<string, CommonField> = {
  id: { description: 'Id, given by the service. It never changes.', example: ID },
  orgId: { description: 'Id of the organization that it belongs to.', example: 'c1Rz0uQp7YhM4dXe' },
  typePath: {
    description:
      'Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked.',
    example: 'item:shirt',
  },
  rootTypePath: { description: 'First part of the type path: the entity type.', example: 'item' },
  name: { description: 'Name, for people.', example: 'Linen shirt' },
  federatedId: {
    description:
      'Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it.',
    example: 'LS-1',
  },
  identifier: {
    description: 'A second, human-readable key, such as a style number. Unique among the entities of one type.',
    example: 'LS-1',
  },
  version: { description: 'Number of the version, from 1. Each change adds one.', example: 1 },
  createdOn: { description: 'When it was created.', example: EXAMPLE_TIME },
  createdById: { description: 'Id of the person, key, load or workflow that created it.', example: PERSON },
  createdByType: { description: 'Kind of caller that `createdById` names.' },
  updatedOn: { description: 'When it last changed.', example: EXAMPLE_TIME },
  updatedById: { description: 'Id of the person, key, load or workflow that last changed it.', example: PERSON },
  startedOn: { description: 'When it started. Absent until then.', example: EXAMPLE_TIME },
  endedOn: { description: 'When it ended. Absent or null until then.' },
  touchedOn: { description: 'When it last made progress.' },
  expiresOn: { description: 'When it expires.' },
  revokedOn: { description: 'When it was revoked; null if it is still valid.' },
  results: { description: 'The entries of this page.' },
  nextPageKey: { description: 'Send it as `nextPageKey` to get the next page; null on the last page.', example: null },
  entityType: { description: 'Name of the entity type, such as `item`.', example: 'item' },
  entityName: { description: 'Name of the entity type, such as `item`.', example: 'item' },
  entityReference: { description: 'The entity, as `<entityType>:<id>`.', example: `item:${ID}` },
  triggerKey: {
    description:
      'Names the event: `<entityType>|<create, update or delete>`, `assortment|publish`, or a key of your own.',
    example: 'item|update',
  },
  email: { description: 'Email address. Upper and lower case are the same.', example: 'ann@example.com' },
  password: { description: 'Password of the person in this organization.' },
  newPassword: { description: 'The new password.' },
  role: { description: '`admin` manages people and keys; `member` works with the data.' },
  scope: { description: '`read` may only read; `write` may read and write.' },
  tier: { description: 'Rate tier: how many requests a minute are allowed.' },
  slug: { description: 'Short name of the organization in addresses and headers.', example: 'acme' },
  orgSlug: { description: 'Slug of the organization to sign in to.', example: 'acme' },
  organizationId: { description: 'Id of the organization.' },
  userId: { description: 'Id of the person; null if it belongs to no person.', example: 'p4XbD8mZq1HsJ6yC' },
  subjectId: { description: 'Id of what the entry is about; null if it has none.' },
  token: { description: 'One-time token of the link.' },
  accessToken: { description: 'Goes into `Authorization: Bearer …`. Shown once.', example: 'tok_…' },
  key: { example: 'app:…' },
  start: { description: 'First characters of the key, to recognize it by.', example: 'app:Vn3K' },
  entityTypes: { description: 'The only entity types that the key may read and write; null for all.' },
  addresses: { description: 'The only IP addresses or blocks that the key may be used from; null for all.' },
  isActive: { description: 'Whether it reacts to its trigger.' },
  includeLoads: { description: 'Whether changes made by loads count as events, too.' },
  itemId: { description: 'Id of the item.', example: ID },
  projectId: { description: 'Id of the project.', example: ID },
  assortmentId: { description: 'Id of the assortment.', example: ID },
  dryRun: { description: 'Whether to do everything but the writes.' },
  message: { description: 'What is wrong and what to do, in one sentence.' },
  subtext: { description: 'Short text on the latest state, for people.', example: 'Waiting for the factory' },
  percent: { description: 'Progress of the whole in percent. It never runs back.', example: 40 },
  assortmentPublishChangeIds: { description: 'Ids of the publishes that it made.' },
  fileName: { description: 'Name of the file, without slashes.', example: 'styles.csv' },
  contentType: { description: 'Content type of the file.', example: 'text/csv' },
  checksum: {
    description: 'SHA-256 of the content; null until the content is there.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  size: { description: 'Size in bytes; null until the content is there.', example: 1204 },
  issuer: { description: 'Address of the identity provider.', example: 'https://login.example.com' },
  url: { description: 'Address that is called, https only.', example: 'https://erp.example.com/selvedge' },
  requestId: {
    description: 'Id of the call, also in `X-Request-Id`. Name it when you report a problem.',
    example: 'f2Gk9TsW0bRnY6uE',
  },
}
