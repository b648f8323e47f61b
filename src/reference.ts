// What the API reference says besides the operations: an introduction, and the order in which a reader meets them.
import { ASSORTMENT_DESCRIPTIONS } from './features/assortments/descriptions.ts'
import { PEOPLE_DESCRIPTIONS } from './features/auth/descriptions.ts'
import { ENTITY_DESCRIPTIONS } from './features/entities/descriptions.ts'
import { FILE_DESCRIPTIONS } from './features/files/descriptions.ts'
import { HISTORY_DESCRIPTIONS } from './features/history/descriptions.ts'
import { LOAD_DESCRIPTIONS } from './features/loads/descriptions.ts'
import { OPERATOR_DESCRIPTIONS } from './features/operator/descriptions.ts'
import { TYPE_DESCRIPTIONS } from './features/types/descriptions.ts'
import { WORKFLOW_DESCRIPTIONS } from './features/workflows/descriptions.ts'
import { KINDS } from './kinds.ts'
import { type About, openApi } from './platform/http/openapi/document.ts'
import type { Operation } from './platform/http/operation.ts'
import type { KindGroup } from './platform/kind.ts'
import { VERSION } from './version.ts'

const DESCRIPTION = `Product data as typed entities, with their history, loads from CSV files, and workflows.

**Begin.** The [quickstart](/docs/quickstart) takes five calls. Send \`X-Api-Key\` and \`X-Api-Org\` with every call, or a bearer token. \`GET /items\` lists, \`POST /items\` creates.

**[Guides](/docs/guides)** explain what an operation alone cannot: [products and seasons](/docs/products), [types](/docs/types), [criteria](/docs/criteria), [history](/docs/history), [export and undo](/docs/undo),
[files](/docs/files), [loads](/docs/loads), [expressions](/docs/expressions), [workflows](/docs/workflows), [events](/docs/events),
[access](/docs/access), [limits](/docs/limits), [deploying](/docs/deploy), [clients](/docs/clients).

**Every answer** carries \`X-Request-Id\` (yours, if you send one) and \`Server-Timing\`. Errors are problem documents (RFC 9457) with a stable \`code\`
and every fault at once in \`errors\`; [each code](/docs/errors) has a page. Answers may get more properties with a later release: pass over those that you do not know.

**Your own types.** \`/openapi.json?org=<slug>\`, asked for with a key, has the types of the organization in it, for generators of any language.

**Safe repeats.** A POST under an \`Idempotency-Key\` is done once; \`If-Match\` with an \`ETag\` changes only the version that you have seen.`

const tag = (name: string, description: string) => ({ name, description })

const entityTags = (group: KindGroup) =>
  KINDS.filter(kind => kind.group === group).map(({ path, about }) => tag(path, about))

const GROUPS: About['groups'] = [
  {
    name: 'Product data',
    tags: [...entityTags('Product data'), tag('search', 'Entities of all types by words.')],
  },
  { name: 'History', tags: [tag('change-history', 'Every change of an entity, to be queried or polled.')] },
  { name: 'Files and loads', tags: entityTags('Files and loads') },
  {
    name: 'Workflows',
    tags: [tag('workflows', 'Start runs, call tasks back, take calls from outside.'), ...entityTags('Workflows')],
  },
  { name: 'Agents', tags: [tag('agents', 'Tools for agents, by the Model Context Protocol.')] },
  {
    name: 'People and keys',
    tags: [
      tag('people', 'Signing in, members, invitations, and what was done.'),
      tag('keys', 'Keys of the organization and of its people.'),
    ],
  },
  {
    name: 'Operator',
    tags: [tag('operator', "For the deployment's owner: organizations, their keys, endpoints and identity providers.")],
  },
]

/** What the document says besides the contracts; the Worker carries none of it. */
export const DESCRIPTIONS = [
  ENTITY_DESCRIPTIONS,
  TYPE_DESCRIPTIONS,
  HISTORY_DESCRIPTIONS,
  FILE_DESCRIPTIONS,
  LOAD_DESCRIPTIONS,
  ASSORTMENT_DESCRIPTIONS,
  WORKFLOW_DESCRIPTIONS,
  PEOPLE_DESCRIPTIONS,
  OPERATOR_DESCRIPTIONS,
]

export function apiDocument(operations: readonly Operation[]): Record<string, unknown> {
  return openApi(operations, {
    version: VERSION,
    description: DESCRIPTION,
    server: '/api',
    groups: GROUPS,
    descriptions: DESCRIPTIONS,
  })
}
