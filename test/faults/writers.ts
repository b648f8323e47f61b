// Writers of items: each has items of its own, and all share a few hot ones that they create, change and delete under each other's
// hands. Every write carries the name of its operation in `w`, so that its record can be found.
import { pause } from '../kill/service.ts'
import type { Random } from '../worker/loads/differential/random.ts'
import { attempt, careful, expected, MOST_TRIES, query, REPEAT_MS } from './client.ts'
import type { Entity, Page, World } from './world.ts'

export interface Acknowledged {
  operation: string
  change: 'create' | 'update' | 'delete'
  ids: string[]
  /** Nobody else writes these: there is exactly one record of the operation for each. */
  isOwn: boolean
}

export interface Written {
  acknowledged: Acknowledged[]
  /** Operations that were tried once and may have been done. */
  unknown: Set<string>
  /** Increments of each counter that were acknowledged, or seen in its history. */
  increments: Map<string, number>
  /** Items that stay, by when their creation was acknowledged. */
  standing: Map<string, number>
}

export const newWritten = (): Written => ({
  acknowledged: [],
  unknown: new Set(),
  increments: new Map(),
  standing: new Map(),
})

const HOT = Array.from({ length: 6 }, (_, at) => `hot-${at}`)

export class Writer {
  readonly #world: World
  readonly #name: string
  /** What it does next depends on nothing but the seed; with which items, on what it has. */
  readonly #plan: Random
  readonly #random: Random
  readonly #written: Written
  readonly #own: string[] = []

  constructor(world: World, name: string, written: Written) {
    this.#world = world
    this.#name = name
    this.#plan = world.random(name)
    this.#random = world.random(`${name} detail`)
    this.#written = written
  }

  async run(): Promise<void> {
    const moves = [
      () => this.#create(),
      () => this.#createOnce(),
      () => this.#update(),
      () => this.#increment(),
      () => this.#delete(),
      () => this.#batchCreate(),
      () => this.#batchUpdate(),
      () => this.#batchDelete(),
      () => this.#upsert(),
      () => this.#upsert(),
      () => this.#hot(),
    ]
    while (!this.#world.isOver) {
      await this.#plan.pick(moves)()
      this.#world.count('writes')
    }
  }

  #acknowledge(change: Acknowledged['change'], operation: string, ids: string[], isOwn = true): void {
    this.#written.acknowledged.push({ operation, change, ids, isOwn })
  }

  #operation(): string {
    return this.#world.operation(this.#name)
  }

  #keep(id: string, operation: string): void {
    // A third of them is never touched again: list walkers must see those.
    if (this.#random.chance(0.33)) this.#written.standing.set(id, Date.now())
    else this.#own.push(id)
    this.#acknowledge('create', operation, [id])
  }

  async #create(): Promise<void> {
    const operation = this.#operation()
    const body = { name: `item ${operation}`, w: operation, counter: 0 }
    const made = await expected<Entity>(this.#world, [201], 'POST', '/items', { key: operation, body })
    this.#keep(made.body.id, operation)
  }

  /** Without a key nobody may repeat it. */
  async #createOnce(): Promise<void> {
    const operation = this.#operation()
    const body = { federatedId: operation, w: operation, counter: 0 }
    const made = await attempt<Entity>(this.#world, 'POST', '/items', { body })
    if (made) this.#keep(made.body.id, operation)
    else this.#written.unknown.add(operation)
  }

  async #update(): Promise<void> {
    if (this.#own.length === 0) return
    const operation = this.#operation()
    const id = this.#random.pick(this.#own)
    const body = { w: operation, [`field${this.#random.below(4)}`]: operation, nested: { by: [operation, null] } }
    await expected(this.#world, [200], 'PUT', `/items/${id}`, { body })
    this.#acknowledge('update', operation, [id])
  }

  /** Reads, adds one, and writes under If-Match: no increment is lost, none is done twice. */
  async #increment(): Promise<void> {
    if (this.#own.length === 0) return
    const operation = this.#operation()
    const id = this.#random.pick(this.#own)
    for (let tries = 0; ; tries++) {
      if (tries > MOST_TRIES) throw new Error(`increment ${operation} is never answered`)
      if (tries > 0) await pause(REPEAT_MS)
      const seen = await expected<Entity>(this.#world, [200], 'GET', `/items/${id}`)
      if (tries > 0 && (await this.#isDone(id, operation))) break
      const body = { counter: Number(seen.body.counter) + 1, w: operation }
      const answer = await attempt(this.#world, 'PUT', `/items/${id}`, { ifMatch: seen.etag, body })
      if (answer?.status === 200) break
      if (answer && answer.status !== 412) return this.#world.violation(`an increment answers ${answer.status}`)
    }
    this.#written.increments.set(id, (this.#written.increments.get(id) ?? 0) + 1)
    this.#acknowledge('update', operation, [id])
  }

  async #isDone(id: string, operation: string): Promise<boolean> {
    const criteria = { entityReference: `item:${id}` }
    const { body } = await careful<Page>(this.#world, 'GET', `/change-history${query({ criteria, limit: 1000 })}`)
    return body.results.some(
      ({ changes }) => (changes as Record<string, { newValue: unknown }>).w?.newValue === operation,
    )
  }

  #take(many: number): string[] {
    return this.#own.splice(this.#random.below(this.#own.length), many)
  }

  async #delete(): Promise<void> {
    const [id] = this.#take(1)
    if (id === undefined) return
    const gone = await careful(this.#world, 'DELETE', `/items/${id}`)
    const isRight = gone.status === 204 || (gone.isRepeat && gone.status === 404)
    this.#world.check('a delete', isRight, gone)
    this.#acknowledge('delete', this.#operation(), [id])
  }

  async #batchCreate(): Promise<void> {
    const operation = this.#operation()
    const body = Array.from({ length: 2 + this.#random.below(8) }, (_, at) => ({
      name: `${at}`,
      w: operation,
      counter: 0,
    }))
    const made = await expected<Page>(this.#world, [201], 'POST', '/items/batch', { key: operation, body })
    const ids = made.body.results.map(({ id }) => id)
    this.#own.push(...ids)
    this.#acknowledge('create', operation, ids)
  }

  async #batchUpdate(): Promise<void> {
    if (this.#own.length < 4) return
    const operation = this.#operation()
    const ids = this.#random.shuffled(this.#own).slice(0, 4)
    await expected(this.#world, [200], 'PUT', '/items/batch', { body: ids.map(id => ({ id, w: operation })) })
    this.#acknowledge('update', operation, ids)
  }

  async #batchDelete(): Promise<void> {
    if (this.#own.length < 12) return
    const ids = this.#take(2)
    const gone = await careful(this.#world, 'DELETE', '/items/batch', { body: ids })
    this.#world.check('a batch of deletes', gone.status === 204 || (gone.isRepeat && gone.status === 404), gone)
    this.#acknowledge('delete', this.#operation(), ids)
  }

  async #upsert(): Promise<void> {
    const operation = this.#operation()
    const keys = this.#random.shuffled(HOT).slice(0, 1 + this.#random.below(4))
    const body = keys.map(federatedId => ({ federatedId, w: operation, name: operation }))
    const done = await expected<Page>(this.#world, [200, 201], 'POST', '/items/batch?upsertBy=federatedId', {
      key: operation,
      body,
    })
    this.#world.count('upserts')
    const ids = done.body.results?.map(({ id }) => id) ?? []
    this.#acknowledge('update', operation, ids, false)
  }

  async #hot(): Promise<void> {
    const found = await hotItem(this.#world, this.#random)
    if (!found) return
    const operation = this.#operation()
    const ifMatch = this.#random.chance(0.5) ? `"${found.version}"` : undefined
    const conditions = ifMatch === undefined ? {} : { ifMatch }
    const { status } = this.#random.chance(0.5)
      ? await careful(this.#world, 'DELETE', `/items/${found.id}`, conditions)
      : await careful(this.#world, 'PUT', `/items/${found.id}`, { ...conditions, body: { w: operation } })
    this.#world.check('a write of a hot item', [200, 204, 404, 409, 412].includes(status), status)
  }
}

export async function hotItem(world: World, random: Random): Promise<Entity | undefined> {
  const criteria = { federatedId: random.pick(HOT) }
  const { body } = await careful<Page>(world, 'GET', `/items${query({ criteria })}`)
  return body.results[0]
}

/** Refers to items that others delete: a reference that was accepted holds, one to what is gone is refused. */
export async function pairUp(world: World, projectId: string): Promise<void> {
  const random = world.random('pairs')
  while (!world.isOver) {
    const item = await hotItem(world, random)
    if (!item) continue
    const body = { itemId: item.id, projectId, w: world.operation('pair') }
    const made = await expected<Entity>(world, [201, 400, 409], 'POST', '/project-items', { key: body.w, body })
    world.count('pairs')
    if (made.status === 201 && random.chance(0.6)) {
      await expected(world, [204, 404], 'DELETE', `/project-items/${made.body.id}`)
    }
  }
}
