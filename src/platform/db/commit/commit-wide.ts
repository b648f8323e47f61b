// What the slices of one commit must know of each other: a check sees one slice, and what it asks for may be written by another.
import { ENTITY_MAX_BYTES } from '../../limits.ts'
import { BATCH_UPDATED_MAX_BYTES } from '../limits.ts'
import type { Slice } from './slice.ts'
import { flatReferencesIn, type ReferenceCheck } from './write.ts'

export interface CommitWide {
  /** Ids of the entities that the commit deletes: they do not hold each other. */
  deleted: string
  /** Whether a reference names an entity that the commit creates. */
  isCreated(reference: ReferenceCheck): boolean
  /** The entity type of what the commit creates; undefined for everything else. */
  createdKind(id: string): string | undefined
  /** Ids of the entities that it gives a reference that nothing may be deeper than. */
  referring: ReadonlySet<string>
  /** Ids of the updated entities that come back, where they may be more than fits into an answer. */
  answered: readonly string[]
}

export function commitWide(slices: readonly Slice[], isAnswered: boolean): CommitWide {
  // Most commits refer to nothing that they create, and need no look-up.
  let created: ReadonlyMap<string, string> | undefined
  const createdKind = (id: string) => {
    created ??= new Map(slices.flatMap(({ creates }) => creates.map(({ id, kind }) => [id, kind.name] as const)))
    return created.get(id)
  }
  const updated = isAnswered ? slices.flatMap(slice => slice.updates).map(({ id }) => id) : []
  return {
    deleted: JSON.stringify(slices.flatMap(slice => slice.deletes).map(({ id }) => id)),
    isCreated: ([, , kind, id]) => {
      const made = createdKind(id)
      return made !== undefined && (kind === null || made === kind)
    },
    createdKind,
    referring: new Set(slices.flatMap(({ writes }) => flatReferencesIn(writes).map(({ write }) => write.id))),
    answered: updated.length * ENTITY_MAX_BYTES > BATCH_UPDATED_MAX_BYTES ? updated : [],
  }
}

type FlatCheck = [index: number, field: string, target: string, referrer: string | null, isDeep: 0 | 1]

/** An entity that several new ones name is looked up once; entities that the commit creates need no look-up. */
export function flatChecks({ writes }: Slice, { createdKind, referring }: CommitWide): FlatCheck[] {
  const seen = new Set<string>()
  return flatReferencesIn(writes).flatMap(({ write, field, id }): FlatCheck[] => {
    const isDeep = referring.has(id)
    const isNew = write.op === 'create'
    const isKnown = isNew && !isDeep && (createdKind(id) !== undefined || seen.has(id))
    seen.add(id)
    return isKnown ? [] : [[write.index, field, id, isNew ? null : write.id, isDeep ? 1 : 0]]
  })
}
