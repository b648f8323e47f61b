// `relations=item,item.itemFamily` (N16): which entities to add beside the ids that name them. Pure.
import { type SQL, sql } from 'drizzle-orm'
import { type Entity, entityOf, rowColumns, type StoredRow } from '../../platform/db/row.ts'
import { ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { from, type Given, indexedBy, jsonPath, list, named, type Param, unionOf } from '../../platform/db/sql.ts'
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

/** About what the common fields of an entity take in an answer. */
const ROW_BYTES = 300

export type RelationsValues = { orgId: Param; relations: Param }

/** The field that each follows and the entity type that it leads to, by place. */
export function relationsValue(relations: readonly Relation[]): string {
  return JSON.stringify(relations.map(({ reference }) => [jsonPath(reference.field), reference.target]))
}

/** Relations of one key have the same text: which each goes on from. */
export function relationsKey(relations: readonly Relation[]): string {
  return `related ${relations.map(({ parent }) => (parent ? relations.indexOf(parent) : 'page')).join()}`
}

export type RelatedRow = StoredRow & { total: number }

const e = named(entities, 'e')
const h = named(entities, 'h')
const r = named(entities, 'related')
const MOST = sql.raw(String(RELATED_MAX_BYTES))

/**
 * The entities of all relations of a page, each once. Their sizes are read first (N77): a relation goes on only from entities that
 * are within the bound, and where all are beyond it, one row comes back that says so.
 */
export function relatedSql(
  relations: readonly Relation[],
  page: SQL,
  { orgId, relations: sent }: Given<RelationsValues>,
): SQL<RelatedRow> {
  const parts = relations.map(({ parent }, at): SQL => {
    const holders = parent ? `r${relations.indexOf(parent)}` : 'page'
    const within = parent ? sql` AND (SELECT sum(size) FROM ${sql.raw(holders)}) <= ${MOST}` : sql``
    return sql`${sql.raw(`r${at}`)} AS MATERIALIZED (
      SELECT ${r.seq} AS seq, octet_length(${r.data}) + ${sql.raw(String(ROW_BYTES))} AS size FROM ${from(r)} ${indexedBy(ENTITY_INDEX.id)}
      WHERE ${r.orgId} = ${orgId} AND ${r.kind} = ${sent} ->> ${path(at, 1)} AND ${r.id} IN (
        SELECT j.atom FROM ${sql.raw(holders)} p CROSS JOIN ${from(h)} ON ${h.seq} = p.seq AND ${h.orgId} = ${orgId}
        CROSS JOIN json_each(${h.data}, ${sent} ->> ${path(at, 0)}) j WHERE j.type = 'text'${within}))`
  })
  const found = unionOf(relations.map((_, at) => sql`SELECT seq, size FROM ${sql.raw(`r${at}`)}`))
  return sql`WITH page AS MATERIALIZED (SELECT seq FROM (${page})), ${list(parts)},
      found AS MATERIALIZED (SELECT DISTINCT seq, size FROM (${found})), bound AS MATERIALIZED (SELECT sum(size) AS total FROM found)
    SELECT ${rowColumns(e)}, (SELECT total FROM bound) AS total FROM found CROSS JOIN ${from(e)} ON ${e.seq} = found.seq AND ${e.orgId} = ${orgId}
    LIMIT iif((SELECT total FROM bound) > ${MOST}, 1, -1)`
}

/** Of the relation at a place: its field or its target. */
const path = (at: number, part: 0 | 1) => sql.raw(`'$[${at}][${part}]'`)

/** The related entities by id, and what each adds to an answer. */
export type Found = ReadonlyMap<string, { kind: string; entity: Entity; bytes: number }>

export function foundIn(rows: readonly RelatedRow[]): Found {
  if ((rows[0]?.total ?? 0) > RELATED_MAX_BYTES) throw tooMuch()
  return new Map(
    rows.map(row => [row.id, { kind: row.kind, entity: entityOf(row), bytes: row.data.length + ROW_BYTES }]),
  )
}

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
    const related = this.#found.get(String(id))
    if (related?.kind !== relation.reference.target) return null
    this.#addedBytes += related.bytes
    if (this.#addedBytes > RELATED_MAX_BYTES) throw tooMuch()
    return this.attach(related.entity, relation)
  }
}

function tooMuch(): Fault {
  return new Fault('too_large', `Relations may add ${RELATED_MAX_BYTES} bytes to an answer. Ask for a smaller page.`)
}
