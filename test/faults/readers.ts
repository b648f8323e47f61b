// Readers that go on while others write: a poller by syncKey, a poller by its own clock, a walker of lists.
import { pause } from '../kill/service.ts'
import { careful, expected, query } from './client.ts'
import type { Entity, Json, Page, World } from './world.ts'
import type { Written } from './writers.ts'

export interface ChangeRecord extends Json {
  id: string
  entityType: string
  entityReference: string
  changeType: 'create' | 'update' | 'delete'
  createdOn: string
  version: number
  changes: Record<string, { oldValue: unknown; newValue: unknown }>
}

/** Stores the syncKey of each answer; what it has seen, in order. */
export class Poller {
  readonly records: ChangeRecord[] = []
  #syncKey = ''

  async run(world: World): Promise<void> {
    while (!world.isOver) {
      await this.poll(world)
      await pause(20)
    }
  }

  async poll(world: World): Promise<number> {
    const path = `/change-history?limit=50&after=${encodeURIComponent(this.#syncKey)}`
    const { body } = await expected<Page<ChangeRecord>>(world, [200], 'GET', path)
    this.records.push(...body.results)
    this.#syncKey = body.syncKey ?? ''
    return body.results.length
  }

  async toTheEnd(world: World): Promise<void> {
    while ((await this.poll(world)) > 0);
  }
}

/** Asks for what came between its last look and now, by its own clock: the pattern of the specification. */
export class ClockPoller {
  readonly seen = new Set<string>()
  readonly began = Date.now()
  #last = this.began

  async run(world: World): Promise<void> {
    while (!world.isOver) {
      await this.poll(world)
      await pause(150)
    }
  }

  async poll(world: World): Promise<void> {
    const now = Date.now()
    const [start, end] = [this.#last, now].map(time => new Date(time).toISOString())
    const criteria = { createdOn: `BETWEEN ${start} and ${end}` }
    for (let key: string | null = ''; key !== null; ) {
      const parameters: Record<string, unknown> = { criteria, limit: 500, ...(key && { nextPageKey: key }) }
      const { body }: { body: Page<ChangeRecord> } = await expected(
        world,
        [200],
        'GET',
        `/change-history${query(parameters)}`,
      )
      for (const { id } of body.results) this.seen.add(id)
      key = body.nextPageKey
    }
    this.#last = now
  }
}

/** Walks all items in small pages: none comes twice, and none is missing that was there before and still is. */
export async function walk(world: World, { standing }: Written): Promise<void> {
  while (!world.isOver) {
    const before = [...standing.keys()]
    const seen = new Set<string>()
    let key: string | null = ''
    while (key !== null && !world.isOver) {
      const path: string = `/items${query({ limit: 200, ...(key && { nextPageKey: key }) })}`
      const { body } = await careful<Page<Entity>>(world, 'GET', path)
      for (const { id } of body.results) {
        world.check('a list repeats an item', !seen.has(id), id)
        seen.add(id)
      }
      key = body.nextPageKey
    }
    if (key !== null) return
    world.count('walks')
    const missing = before.filter(id => !seen.has(id))
    world.check('a list lacks items', missing.length === 0, missing)
    await pause(50)
  }
}
