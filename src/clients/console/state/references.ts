// Names instead of ids: which property leads to which entity type, and a small memory of names, asked for in bunches.
import { type Signal, signal } from '@preact/signals'
import { ownValue } from './own-value.ts'
import { client } from './session.ts'

const BUNCH = 100
/** How long an id is shown whose name could not be read: drawing it must not ask again at once. */
const FORGET_FAILED_MS = 30_000

/** Properties that hold the id of an entity, and of which entity type. */
const LEADS_TO: Record<string, string> = {
  itemId: 'item',
  itemFamilyId: 'item',
  projectItemId: 'project-item',
  projectId: 'project',
  workspaceId: 'workspace',
  assortmentId: 'assortment',
  memberAssortmentIds: 'assortment',
  eventWorkflowId: 'event-workflow',
  processId: 'event-workflow-process',
  fileLocation: 'file',
  issuesFileId: 'file',
  annotatedFileId: 'file',
  loaderConfigurationId: 'file',
}

export const leadsTo = (property: string): string | undefined => ownValue(LEADS_TO, property)

/** Entity types whose entities may hold an id of this entity type, and the property that does. */
export function usedBy(entityName: string): { entityName: string; property: string }[] {
  return (ownValue(USED_BY, entityName) ?? []).map(([user, property]) => ({ entityName: user, property }))
}

const USED_BY: Record<string, [user: string, property: string][]> = {
  item: [
    ['item', 'itemFamilyId'],
    ['project-item', 'itemId'],
    ['assortment-item', 'itemId'],
  ],
  'project-item': [['assortment-item', 'projectItemId']],
  project: [
    ['workspace', 'projectId'],
    ['project-item', 'projectId'],
  ],
  workspace: [['assortment', 'workspaceId']],
  assortment: [
    ['assortment-item', 'assortmentId'],
    ['assortment', 'memberAssortmentIds'],
  ],
  'event-workflow': [['event-workflow-process', 'eventWorkflowId']],
  'event-workflow-process': [['event-workflow-task', 'processId']],
}

/** Undefined: not known yet; null: there is none any more. */
type Name = Signal<string | null | undefined>
const names = new Map<string, Name>()
const wanted = new Map<string, Set<string>>()
let isAsking = false

export function nameOf(entityName: string, id: string): Name {
  const key = `${entityName}:${id}`
  const known = names.get(key)
  if (known) return known
  const name: Name = signal(undefined)
  names.set(key, name)
  const ids = wanted.get(entityName) ?? new Set()
  wanted.set(entityName, ids.add(id))
  if (!isAsking) setTimeout(askNames, 10)
  isAsking = true
  return name
}

/** What a page has read anyway need not be asked for. */
export function rememberName(entityName: string, { id, name }: { id: string; name: string | null }): void {
  const key = `${entityName}:${id}`
  const known = names.get(key)
  if (known) known.value = name ?? id
  else names.set(key, signal(name ?? id))
}

function askNames(): void {
  isAsking = false
  for (const [entityName, ids] of wanted) {
    const all = [...ids]
    for (let at = 0; at < all.length; at += BUNCH) void askBunch(entityName, all.slice(at, at + BUNCH))
  }
  wanted.clear()
}

async function askBunch(entityName: string, ids: string[]): Promise<void> {
  const set = (id: string, value: string | null) => {
    const name = names.get(`${entityName}:${id}`)
    if (name) name.value = value
  }
  try {
    const { results } = await client.entities.list({ entityName, queryParams: { criteria: { id: ids }, limit: BUNCH } })
    const found = new Map(results.map(each => [each.id, each.name ?? each.federatedId ?? each.id]))
    for (const id of ids) set(id, found.get(id) ?? null)
  } catch {
    // Ids are shown instead, and asked for by a later page; the page itself says what is wrong with the service.
    for (const id of ids) set(id, id)
    setTimeout(() => {
      for (const id of ids) names.delete(`${entityName}:${id}`)
    }, FORGET_FAILED_MS)
  }
}
