// Takes back what was just written (N52): of one entity by restoring its version, of many as one atomic batch of their old values.
// What others have changed since is left alone, and told.
import type { Entity } from '../../typescript/index.ts'
import { counted } from './format.ts'
import { ownValue } from './own-value.ts'
import { sameValue } from './same-value.ts'
import { client } from './session.ts'
import { tell } from './toasts.ts'
import { tellWritten } from './written.ts'

export interface Written {
  /** As it was before, read just then: what a screen shows may be older than what was written over. */
  before: Entity
  /** As it came back. */
  after: Entity
  slugs: readonly string[]
}

export async function takeBack(entityName: string, all: readonly Written[]): Promise<void> {
  const written = all.map(changedOnly).filter(({ slugs }) => slugs.length > 0)
  const now = await presentStates(
    entityName,
    written.map(({ before }) => before.id),
  )
  const untouched = written.filter(each => isOurs(each) && isAsWritten(each, now.get(each.before.id)))
  const results = await writeBack(entityName, untouched)
  const others = written.length - untouched.length
  const left = others > 0 ? ` ${counted(others, 'entity', 'entities')} changed since and left alone.` : ''
  tell(`${results.length > 0 ? 'Taken back.' : 'Nothing was taken back.'}${left}`)
  tellWritten(entityName, results)
}

const BUNCH = 200

/** Those that are there, by id. */
export async function presentStates(entityName: string, ids: readonly string[]): Promise<Map<string, Entity>> {
  const found = new Map<string, Entity>()
  for (let at = 0; at < ids.length; at += BUNCH) {
    const id = ids.slice(at, at + BUNCH)
    const { results } = await client.entities.list({ entityName, queryParams: { criteria: { id }, limit: BUNCH } })
    for (const each of results) found.set(each.id, each)
  }
  return found
}

function changedOnly({ before, after, slugs }: Written): Written {
  return { before, after, slugs: slugs.filter(slug => !sameValue(ownValue(before, slug), ownValue(after, slug))) }
}

/** Where somebody else wrote between the reading and the writing, nobody knows what was written over. */
const isOurs = ({ before, after }: Written) => after.version - before.version <= 1

function isAsWritten({ after, slugs }: Written, now: Entity | undefined): boolean {
  return now !== undefined && slugs.every(slug => sameValue(ownValue(now, slug), ownValue(after, slug)))
}

async function writeBack(entityName: string, written: readonly Written[]): Promise<Entity[]> {
  const [first] = written
  if (!first) return []
  if (written.length === 1) {
    const { id, version } = first.before
    return [await client.entities.restore({ entityName, id, version, properties: first.slugs })]
  }
  const objects = written.map(({ before, slugs }) => ({
    ...Object.fromEntries(slugs.map(slug => [slug, ownValue(before, slug) ?? null])),
    id: before.id,
  }))
  return (await client.entities.updateBatch({ entityName, objects })).results
}
