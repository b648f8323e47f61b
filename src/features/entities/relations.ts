// `relations=item,item.itemFamily` (N16): which entities to add beside the ids that name them. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { type Entity, rowColumns } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { type Given, indexedBy, jsonPath, type Param } from '../../platform/db/sql.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import { limitedKey } from '../../platform/key-limits.ts'
import { type Kind, kindNamed, type Reference } from '../../platform/kind.ts'
import { RELATED_MAX_BYTES, RELATION_MAX_DEPTH, RELATIONS_MAX } from '../../platform/limits.ts'

export interface Relation {
  /** `item.itemFamily` */
  path: string
  /** The relation that it goes on from. */
  parent: Relation | undefined
  reference: Reference
}

/** `allowed`: the entity types that the caller's key is limited to. */
export function parseRelations(kind: Kind, text: string | undefined, allowed?: readonly string[]): Relation[] {
  const relations = new Map<string, Relation>()
  const faults: string[] = []
  for (const path of (text ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)) {
    const words = path.split('.')
    let at = kind
    let parent: Relation | undefined
    for (const [depth, word] of words.entries()) {
      const reference = at.references.find(candidate => candidate.relation === word)
      if (!reference || depth >= RELATION_MAX_DEPTH) {
        faults.push(
          reference ? `"${path}" is more than ${RELATION_MAX_DEPTH} deep.` : `There is no relation "${path}".`,
        )
        break
      }
      const reached = words.slice(0, depth + 1).join('.')
      const relation: Relation = relations.get(reached) ?? { path: reached, parent, reference }
      relations.set(reached, relation)
      parent = relation
      at = kindNamed(reference.target)
    }
  }
  if (relations.size > RELATIONS_MAX) faults.push(`At most ${RELATIONS_MAX} relations.`)
  if (faults.length) throw invalid(faults.map(message => ({ path: '/relations', message })))
  const targets = [...relations.values()].map(({ reference }) => reference.target)
  if (allowed && !targets.every(target => allowed.includes(target))) throw limitedKey(allowed)
  return [...relations.values()]
}

/** The relation, then those that it goes on from. */
const chainOf = (relation: Relation): Relation[] => [relation, ...(relation.parent ? chainOf(relation.parent) : [])]

export type RelationValues = Record<string, Param>

export function relationValues(relation: Relation): RelationValues {
  return Object.assign(
    {},
    ...chainOf(relation).map(({ reference }, at) => ({
      [`field${at}`]: jsonPath(reference.field),
      [`target${at}`]: reference.target,
    })),
  )
}

/** Relations of one key have the same text. */
export function relationKey(relation: Relation): string {
  return `related ${chainOf(relation).length}`
}

/** The entities of one relation, for all rows of a page. */
export function relationSql({ parent }: Relation, page: SQL, given: Given<RelationValues>, at = 0): SQL {
  const holders = parent ? relationSql(parent, page, given, at + 1) : page
  return sql`SELECT ${rowColumns()} FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
    WHERE ${entities.orgId} = ${given.orgId} AND ${entities.kind} = ${given[`target${at}`]} AND ${entities.id} IN (
      SELECT j.atom FROM (${holders}) p, json_each(p.data, ${given[`field${at}`]}) j WHERE j.type = 'text')`
}

/** The entities of each relation by their ids, and what each adds to an answer. */
export type Found = ReadonlyMap<Relation, ReadonlyMap<string, { entity: Entity; bytes: number }>>

/** Puts related entities beside the ids that name them, null where one is gone; what it adds to a page is bounded. */
export class Attachment {
  readonly #relations: readonly Relation[]
  readonly #found: Found
  #addedBytes = 0

  constructor(relations: readonly Relation[], found: Found) {
    this.#relations = relations
    this.#found = found
  }

  attach(entity: Entity, parent?: Relation): Entity {
    if (this.#relations.length === 0) return entity
    const attached: Entity = { ...entity }
    for (const relation of this.#relations.filter(candidate => candidate.parent === parent)) {
      const { field, relation: name, list } = relation.reference
      const value = entity[field]
      attached[name] =
        list && Array.isArray(value) ? value.map(id => this.#follow(relation, id)) : this.#follow(relation, value)
    }
    return attached
  }

  #follow(relation: Relation, id: unknown): Entity | null {
    const related = this.#found.get(relation)?.get(String(id))
    if (!related) return null
    this.#addedBytes += related.bytes
    if (this.#addedBytes > RELATED_MAX_BYTES) throw tooMuch()
    return this.attach(related.entity, relation)
  }
}

export function tooMuch(): Fault {
  return new Fault('too_large', `Relations may add ${RELATED_MAX_BYTES} bytes to an answer. Ask for a smaller page.`)
}
