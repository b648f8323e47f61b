// What must hold once it is quiet again, seen from the outside only.
import { isDeepStrictEqual } from 'node:util'
import { listAll } from './client.ts'
import type { Loaded } from './loads.ts'
import type { ChangeRecord, ClockPoller, Poller } from './readers.ts'
import type { Entity, Json, World } from './world.ts'
import type { Written } from './writers.ts'

const PATHS: Record<string, string> = {
  item: '/items',
  'project-item': '/project-items?relations=item,project',
  'assortment-item': '/assortment-items?relations=item,assortment',
  assortment: '/assortments?relations=workspace',
  project: '/projects',
  workspace: '/workspaces?relations=project',
  color: '/colors',
  'custom-entity': '/custom-entities',
  'size-range-template': '/size-range-templates',
  'event-workflow': '/event-workflows',
}

/** The own properties of an entity: what change records tell of. */
const COMMON = ['id', 'orgId', 'createdOn', 'updatedOn', 'createdById', 'updatedById', 'version']
const RELATED = ['item', 'project', 'assortment', 'workspace']

function ownOf(entity: Json): Json {
  return Object.fromEntries(
    Object.entries(entity).filter(
      ([name, value]) => !COMMON.includes(name) && !RELATED.includes(name) && value !== null,
    ),
  )
}

export async function readEverything(world: World): Promise<Map<string, Entity>> {
  const entities = new Map<string, Entity>()
  for (const [type, path] of Object.entries(PATHS)) {
    for (const entity of await listAll(world, path)) {
      world.check('a list shows an entity twice', !entities.has(`${type}:${entity.id}`), entity.id)
      entities.set(`${type}:${entity.id}`, entity)
      for (const [name, value] of Object.entries(entity)) {
        const isDangling = RELATED.includes(name) && value === null && typeof entity[`${name}Id`] === 'string'
        world.check('a reference leads nowhere', !isDangling, entity)
      }
    }
  }
  return entities
}

/** Replays every entity from its records: each has found what the one before has left, and the last has left what is there. */
export function checkReplay(world: World, records: readonly ChangeRecord[], entities: Map<string, Entity>): void {
  const states = new Map<string, { state: Json | undefined; version: number; time: string }>()
  let time = ''
  for (const record of records) {
    const { entityReference, changeType, version, createdOn, changes } = record
    world.check('times run back', createdOn >= time, { record, time })
    time = createdOn
    const before = states.get(entityReference) ?? { state: undefined, version: 0, time: '' }
    world.check('versions have a gap', version === before.version + 1, { record, before })
    world.check('a record of what is not there', (changeType === 'create') === (before.state === undefined), record)
    const state: Json = { ...before.state }
    for (const [name, { oldValue, newValue }] of Object.entries(changes)) {
      const isAsLeft = isDeepStrictEqual(oldValue ?? null, before.state?.[name] ?? null)
      world.check('a record has found something else than was left', isAsLeft, { record, name, state: before.state })
      if (newValue == null) delete state[name]
      else state[name] = newValue
    }
    states.set(entityReference, { state: changeType === 'delete' ? undefined : state, version, time })
  }
  for (const [reference, { state, version, time: changedOn }] of states) {
    const entity = entities.get(reference)
    if (!state || !entity) {
      world.check('what was deleted is there, or what was made is not', !state && !entity, { reference, state, entity })
      continue
    }
    world.check('replaying does not give the state', isDeepStrictEqual(state, ownOf(entity)), { state, entity })
    world.check('the version is not that of the last record', entity.version === version, { version, entity })
    world.check('the time is not that of the last record', entity.updatedOn === changedOn, { changedOn, entity })
  }
  for (const reference of entities.keys()) world.check('an entity without records', states.has(reference), reference)
  world.count('entities replayed', states.size)
}

export function checkPollers(world: World, all: readonly ChangeRecord[], poller: Poller, clock: ClockPoller): void {
  const wanted = all.map(({ id }) => id)
  const seen = poller.records.map(({ id }) => id)
  const at = wanted.findIndex((id, index) => seen[index] !== id)
  world.check('the poller has not seen each record once, in order', at < 0 && seen.length === wanted.length, {
    wanted: wanted.length,
    seen: seen.length,
    at,
    different: all[at],
  })
  const missed = all.filter(({ id, createdOn }) => Date.parse(createdOn) >= clock.began && !clock.seen.has(id))
  world.check('the poller by time has missed records', missed.length === 0, { missed: missed.length, first: missed[0] })
  world.count('records', wanted.length)
}

/** Every acknowledged write is in the history, each of its own items once. */
export function checkAcknowledged(world: World, records: readonly ChangeRecord[], written: Written): void {
  const byOperation = new Map<string, ChangeRecord[]>()
  const deletes = new Set<string>()
  for (const record of records) {
    if (record.changeType === 'delete') deletes.add(record.entityReference)
    const operation = record.changes.w?.newValue
    if (typeof operation !== 'string') continue
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), record])
  }
  for (const { operation, change, ids, isOwn } of written.acknowledged) {
    if (change === 'delete') {
      for (const id of ids) world.check('a delete is undone', deletes.has(`item:${id}`), { operation, id })
      continue
    }
    const done = byOperation.get(operation) ?? []
    const found = new Set(done.map(({ entityReference }) => entityReference))
    const missing = ids.filter(id => !found.has(`item:${id}`))
    // Another write with the same values in between leaves no trace, and there is none: operations are all different.
    world.check('an acknowledged write is not there', missing.length === 0, { operation, change, missing })
    if (isOwn) world.check('a write was done more than once', done.length === ids.length, { operation, done })
    const times = new Set(done.map(({ createdOn }) => createdOn))
    if (isOwn) world.check('a batch was not one commit', times.size <= 1, { operation, times: [...times] })
  }
  for (const operation of written.unknown) {
    world.check('a write was done more than once', (byOperation.get(operation) ?? []).length <= 1, operation)
  }
  world.count('acknowledged writes', written.acknowledged.length)
}

export function checkIncrements(world: World, entities: Map<string, Entity>, { increments }: Written): void {
  let checked = 0
  for (const [id, many] of increments) {
    const entity = entities.get(`item:${id}`)
    if (!entity) continue
    checked += many
    world.check('an increment is lost or doubled', entity.counter === many, { many, entity })
  }
  world.count('increments', checked)
}

export function checkLoads(world: World, entities: Map<string, Entity>, loaded: readonly Loaded[]): void {
  const counts = new Map<string, number>()
  const prefixOf = (entity: Json | null | undefined) => /^L\d+x/.exec(String(entity?.federatedId ?? ''))?.[0]
  for (const [reference, entity] of entities) {
    const [type = ''] = reference.split(':')
    const prefix = prefixOf(entity) ?? prefixOf(entity.item as Json | undefined)
    if (prefix && type !== 'assortment') counts.set(`${prefix} ${type}`, (counts.get(`${prefix} ${type}`) ?? 0) + 1)
  }
  for (const { prefix, makes, ending } of loaded) {
    for (const [type, many] of Object.entries(makes)) {
      const found = counts.get(`${prefix} ${type}`) ?? 0
      world.check('a load is not as an undisturbed one', found === (ending === 'reverted' ? 0 : many), {
        prefix,
        type,
        ending,
        many,
        found,
      })
    }
  }
}
