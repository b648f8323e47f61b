// Loads of all types, one after the other: started, now and then cancelled, loaded again, taken back. Each has keys of its own, so
// that afterwards everything it has made can be found and counted.
import { pause } from '../kill/service.ts'
import type { Random } from '../worker/loads/differential/random.ts'
import { attempt, expected } from './client.ts'
import type { Entity, Json, World } from './world.ts'

type Counts = Record<'created' | 'updated' | 'unchanged' | 'removed', number>

interface Process extends Entity {
  status: string
  endedOn?: string
  results: Record<string, Counts>
  assortmentPublishChangeIds: string[]
}

export interface Loaded {
  prefix: string
  /** How many entities of each type an undisturbed load makes. */
  makes: Record<string, number>
  ending: 'completed' | 'cancelled' | 'reverted'
  /** What it says it has made, where it was cancelled. */
  created: Record<string, number>
}

interface Plan {
  configuration: Json
  csv: string
  makes: Record<string, number>
}

const FAMILY_SIZE = 4

const items = (prefix: string, rows: number, more = '') =>
  `itemFamilyFederatedId,itemOptionFederatedId,name,optionName,note${more && ',in'}\n${Array.from(
    { length: rows },
    (_, at) => `${prefix}F${at % Math.ceil(rows / FAMILY_SIZE)},${prefix}O${at},Family,Option ${at},text ${at}${more}`,
  ).join('\n')}\n`

const rowsOf = (header: string, rows: number, row: (at: number) => string) =>
  `${header}\n${Array.from({ length: rows }, (_, at) => row(at)).join('\n')}\n`

/** One of each kind of load. */
const PLANS: ((world: World, prefix: string, rows: number, ws: Workspace) => Promise<Plan>)[] = [
  async (_, prefix, rows) => ({
    configuration: { loadType: ['ITEM'] },
    csv: items(prefix, rows),
    makes: { item: rows + Math.ceil(rows / FAMILY_SIZE) },
  }),
  async (_, prefix, rows) => ({
    configuration: { loadType: ['COLOR'] },
    csv: rowsOf(
      'federatedId,name,hex',
      rows,
      at => `${prefix}${at},Color ${at},#0a${(at % 100).toString().padStart(2, '0')}ff`,
    ),
    makes: { color: rows },
  }),
  async (_, prefix, rows, { identifier }) => {
    const many = rows + Math.ceil(rows / FAMILY_SIZE)
    return {
      configuration: { loadType: ['ITEM', 'PROJECT_ITEM'], workspaceIdentifier: identifier },
      csv: items(prefix, rows),
      makes: { item: many, 'project-item': many },
    }
  },
  async (_, prefix, rows) => ({
    configuration: {
      loadType: ['CUSTOM_ENTITY'],
      conditionalColumns: [{ toProperty: 'typePath', default: 'custom-entity:trim' }],
    },
    csv: rowsOf('federatedId,name', rows, at => `${prefix}${at},Trim ${at}`),
    makes: { 'custom-entity': rows },
  }),
  async (world, prefix, rows, workspace) => {
    const body = { name: prefix, identifier: prefix, workspaceId: workspace.id }
    const made = await expected<Entity>(world, [201], 'POST', '/assortments', { key: `assortment ${prefix}`, body })
    const many = rows + Math.ceil(rows / FAMILY_SIZE)
    return {
      configuration: {
        loadType: ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
        assortmentSplit: { fieldToSplitOn: 'in', values: [{ value: 'yes', assortmentId: made.body.id }] },
      },
      csv: items(prefix, rows, ',yes'),
      makes: { item: many, 'project-item': many, 'assortment-item': many },
    }
  },
  async (_, prefix, rows) => ({
    configuration: { loadType: ['SIZE_RANGE_TEMPLATE'] },
    csv: rowsOf('federatedId,name,sizes', rows, at => `${prefix}${at},Sizes ${at},S|M|L`),
    makes: { 'size-range-template': rows },
  }),
]

export interface Workspace {
  id: string
  identifier: string
}

export class Loader {
  readonly loaded: Loaded[] = []
  readonly #world: World
  readonly #random: Random
  readonly #workspace: Workspace

  constructor(world: World, workspace: Workspace) {
    this.#world = world
    this.#random = world.random('loads')
    this.#workspace = workspace
  }

  async run(): Promise<void> {
    for (let at = 0; !this.#world.isOver; at++) {
      const [rows, cancels, again, reverts, afterMs] = [
        50 + this.#random.below(1500),
        this.#random.chance(0.2),
        this.#random.chance(0.3),
        this.#random.chance(0.3),
        this.#random.below(800),
      ]
      const plan = PLANS[at % PLANS.length]
      if (!plan) return
      const prefix = `L${at}x`
      const { configuration, csv, makes } = await plan(this.#world, prefix, rows, this.#workspace)
      const file = await expected<Entity>(this.#world, [201], 'POST', `/files?fileName=${prefix}.csv`, {
        key: `file ${prefix}`,
        body: csv,
      })
      const started = { ...configuration, fileLocation: file.body.id }
      const first = await this.#load(`load ${prefix}`, started, cancels ? afterMs : undefined)
      const created = Object.fromEntries(Object.entries(first.results).map(([type, counts]) => [type, counts.created]))
      const loaded: Loaded = {
        prefix,
        makes,
        created,
        ending: first.status === 'cancelled' ? 'cancelled' : 'completed',
      }
      this.loaded.push(loaded)
      if (loaded.ending === 'completed') this.#compare(prefix, first, makes, 'created')
      // Loading the same file again changes nothing, or completes what was cancelled.
      if (again || loaded.ending === 'cancelled') {
        const second = await this.#load(`again ${prefix}`, started)
        if (loaded.ending === 'completed') this.#compare(prefix, second, makes, 'unchanged')
        loaded.ending = 'completed'
      }
      if (reverts) await this.#revert(first, loaded)
    }
  }

  async #load(key: string, body: Json, cancelAfterMs?: number): Promise<Process> {
    const { id } = (await expected<Process>(this.#world, [202], 'POST', '/loader-processes', { key, body })).body
    this.#world.count('loads')
    if (cancelAfterMs !== undefined) {
      await pause(cancelAfterMs)
      await expected(this.#world, [202, 409], 'POST', `/loader-processes/${id}/cancel`)
    }
    const ended = await this.#ended(`/loader-processes/${id}`)
    const isRight = ended.status === 'completed' || (cancelAfterMs !== undefined && ended.status === 'cancelled')
    this.#world.check('a load does not end well', isRight, ended)
    return ended
  }

  async #ended(path: string): Promise<Process> {
    for (let since = Date.now(); ; await pause(100)) {
      if (!this.#world.isOver) since = Date.now()
      const answer = await attempt<Process>(this.#world, 'GET', path)
      if (answer?.body.endedOn) return answer.body
      if (Date.now() - since < 90_000) continue
      this.#world.violation(`${path} does not end: ${JSON.stringify(answer?.body)}`)
      throw new Error(`${path} does not end`)
    }
  }

  #compare(prefix: string, { results }: Process, makes: Record<string, number>, as: keyof Counts): void {
    for (const [type, many] of Object.entries(makes)) {
      const { created, updated, unchanged, removed } = results[type] ?? {}
      const wanted = { created: 0, updated: 0, unchanged: 0, removed: 0, [as]: many }
      const isRight = JSON.stringify({ created, updated, unchanged, removed }) === JSON.stringify(wanted)
      this.#world.check(`load ${prefix} of ${type} is not as an undisturbed one`, isRight, { results, wanted })
    }
  }

  async #revert({ id }: Process, loaded: Loaded): Promise<void> {
    const { prefix, makes } = loaded
    const started = await expected<Entity>(this.#world, [202], 'POST', `/loader-processes/${id}/revert`, {
      key: `revert ${prefix}`,
      body: {},
    })
    const ended = await this.#ended(`/revert-processes/${started.body.id}`)
    this.#world.count('reverts')
    this.#world.check('a revert does not end well', ended.status === 'completed', ended)
    // What a cancelled load and its completion have made belongs to two loads: only the first is taken back.
    if (Object.entries(makes).every(([type, many]) => loaded.created[type] === many)) loaded.ending = 'reverted'
    else this.loaded.splice(this.loaded.indexOf(loaded), 1)
  }
}
