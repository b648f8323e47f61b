// Sequences of commands over entities, history, types and criteria, each held against a model in memory: every status, every state,
// every record, in order. VITE_MODEL_RUNS asks for more than the few of every day.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { fits } from '../entities/criteria-model.ts'
import { type Command, commands, type Item, Model } from './commands.ts'

const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const RUNS = Number(settings?.VITE_MODEL_RUNS ?? 60)
const SEED = Number(settings?.VITE_SEED ?? 20)
const COMMON = ['id', 'orgId', 'createdOn', 'updatedOn', 'createdById', 'updatedById', 'version']

const own = (entity: Json): Json =>
  Object.fromEntries(Object.entries(entity).filter(([name, value]) => !COMMON.includes(name) && value !== null))

class Driver {
  readonly #org: TestOrg
  readonly #model = new Model()
  readonly #typeIds = new Map<string, string>()

  constructor(org: TestOrg) {
    this.#org = org
  }

  async run(command: Command): Promise<void> {
    switch (command.do) {
      case 'create':
        return this.#create(command.body)
      case 'update':
        return this.#update(command)
      case 'delete':
        return this.#delete(command)
      case 'batch':
        return this.#batch(command.patches)
      case 'upsert':
        return this.#upsert(command.bodies)
      case 'describe':
        return this.#describe(command)
      case 'list':
        return this.#list(command.criteria)
    }
  }

  async #create(body: Json): Promise<void> {
    const isFit = this.#model.fits(String(body.typePath ?? 'item'), body)
    const answer = await this.#org.post('/items', body)
    expect(answer.status).toBe(!isFit ? 400 : this.#model.isTaken(body.federatedId) ? 409 : 201)
    if (answer.status === 201) this.#model.create(String(answer.body.id), body)
  }

  #conditions(item: Item, match: 'none' | 'right' | 'stale') {
    const version = match === 'right' ? item.version : item.version + 7
    return match === 'none' ? {} : { headers: { 'If-Match': `"${version}"` } }
  }

  async #update({ slot, patch, match }: Command & { do: 'update' }): Promise<void> {
    const item = this.#model.at(slot)
    if (!item) return
    const status = this.#refusal(item, patch) ?? (match === 'stale' ? 412 : 200)
    const answer = await this.#org.call('PUT', `/items/${item.id}`, { body: patch, ...this.#conditions(item, match) })
    // Of several reasons to refuse any may be told.
    if (match === 'stale') expect([412, status]).toContain(answer.status)
    else expect(answer.status).toBe(status)
    if (answer.status !== 200) return
    this.#model.update(item, patch)
    expect({ version: answer.body.version, data: own(answer.body) }).toEqual({ version: item.version, data: item.data })
  }

  #refusal(item: Item, patch: Json): number | undefined {
    if (!this.#model.fits(String(item.data.typePath), patch)) return 400
    return this.#model.isTaken(patch.federatedId, item.id) ? 409 : undefined
  }

  async #delete({ slot, match }: Command & { do: 'delete' }): Promise<void> {
    const item = this.#model.at(slot)
    if (!item) return
    const answer = await this.#org.call('DELETE', `/items/${item.id}`, this.#conditions(item, match))
    expect(answer.status).toBe(match === 'stale' ? 412 : 204)
    if (answer.status === 204) this.#model.delete(item)
  }

  async #batch(patches: { slot: number; patch: Json }[]): Promise<void> {
    const found = patches.flatMap(({ slot, patch }) => {
      const item = this.#model.at(slot)
      // Keys that pass from one to another within a batch have tests of their own.
      const { federatedId: _, ...rest } = patch
      return item ? [{ item, patch: rest }] : []
    })
    const isRefused = found.some(({ item, patch }) => this.#refusal(item, patch) !== undefined)
    const body = found.map(({ item, patch }) => ({ id: item.id, ...patch }))
    const answer = await this.#org.put('/items/batch', body)
    expect(answer.status).toBe(isRefused ? 400 : 200)
    if (answer.status === 200) for (const { item, patch } of found) this.#model.update(item, patch)
  }

  async #upsert(bodies: Json[]): Promise<void> {
    const isFit = bodies.every(body => {
      const held = this.#model.byKey(body.federatedId)
      return this.#model.fits(String(held?.data.typePath ?? 'item'), body)
    })
    const answer = await this.#org.post('/items/batch?upsertBy=federatedId', bodies)
    expect(answer.status).toBe(isFit ? 201 : 400)
    if (answer.status !== 201) return
    // Within a commit, what is new comes first.
    const held = bodies.map(body => this.#model.byKey(body.federatedId))
    for (const [at, body] of bodies.entries()) {
      if (!held[at]) this.#model.create(String(answer.body.results?.[at]?.id), body)
    }
    for (const [at, item] of held.entries()) if (item) this.#model.update(item, bodies[at] ?? {})
  }

  async #describe({ typePath, slug, propertyType }: Command & { do: 'describe' }): Promise<void> {
    const described = this.#model.types.get(typePath) ?? new Map<string, string>()
    this.#model.types.set(typePath, described.set(slug, propertyType))
    const properties = [...described].map(([name, type]) => ({ slug: name, propertyType: type }))
    const id = this.#typeIds.get(typePath)
    const answer = id
      ? await this.#org.put(`/types/${id}`, { properties })
      : await this.#org.post('/types', { typePath, properties })
    expect(answer.status).toBe(id ? 200 : 201)
    this.#typeIds.set(typePath, String(answer.body.id))
  }

  async #list(criteria: Json): Promise<void> {
    const answer = await this.#org.get('/items', { criteria })
    expect(answer.status).toBe(200)
    const wanted = this.#model.items.filter(({ data }) => fits(data, criteria)).map(({ id }) => id)
    expect(answer.body.results?.map(({ id }) => id)).toEqual(wanted)
  }

  async end(): Promise<void> {
    const { body } = await this.#org.get('/items')
    expect(body.results?.map(item => ({ id: item.id, version: item.version, data: own(item) }))).toEqual(
      this.#model.items,
    )
    const history = await this.#org.get('/change-history?after=&entityType=item&limit=1000')
    const records = history.body.results?.map(({ entityReference, changeType, version, changes }) => ({
      id: String(entityReference).split(':')[1],
      changeType,
      version,
      changes,
    }))
    expect(records).toEqual(this.#model.records)
  }
}

describe('entities, history, types and criteria', () => {
  it(`are as the model says after ${RUNS} sequences of commands (N14, N15, N17, N21, N22)`, async () => {
    const property = fc.asyncProperty(commands, async sequence => {
      const driver = new Driver(await newOrg())
      for (const command of sequence) await driver.run(command)
      await driver.end()
    })
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
  })
})
