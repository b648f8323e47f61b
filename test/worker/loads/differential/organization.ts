// An organization of the real service beside the model's world: loads into it, and reads its entities as the model has them.
import { expect } from 'vitest'
import { env, type Json, newOrg, type TestOrg } from '../../api.ts'
import { all, type Load, SMALL, upload, worked } from '../loading.ts'
import type { Conditional, File, Item, Other, Properties, Types, World } from './world.ts'

const COMMON = new Set(['id', 'orgId', 'typePath', 'name', 'federatedId', 'version'])
const STAMPS = new Set(['createdOn', 'updatedOn', 'createdById', 'updatedById'])
const OF_ITEMS = new Set(['roles', 'itemFamilyId', 'optionName', 'optionGroup'])
const OF_PLACES = new Set(['itemId', 'projectId', 'assortmentId', 'projectItemId'])

const OTHERS = { color: '/colors', 'custom-entity': '/custom-entities', 'size-range-template': '/size-range-templates' }

export class Organization {
  readonly org: TestOrg
  readonly #assortments: Record<string, string>

  constructor(org: TestOrg, assortments: Record<string, string>) {
    this.org = org
    this.#assortments = assortments
  }

  static async make(types: Types): Promise<Organization> {
    const org = await newOrg()
    for (const [typePath, properties] of Object.entries(types)) await org.make('/types', { typePath, properties })
    for (const federatedId of ['V1', 'V2'])
      await org.make('/custom-entities', { typePath: 'custom-entity:maker', federatedId })
    const project = await org.make('/projects', {})
    const workspace = await org.make('/workspaces', { identifier: 'main', projectId: project.id })
    const [first, second] = [
      await org.make('/assortments', { workspaceId: workspace.id }),
      await org.make('/assortments', { workspaceId: workspace.id }),
    ]
    return new Organization(org, { A1: first.id, A2: second.id })
  }

  configurationOf(file: File): Json {
    const { split } = file
    const values = Object.entries(split?.values ?? {}).map(([value, place]) => ({
      value,
      assortmentId: this.#assortments[place],
    }))
    const { isPartial, addField, dropField } = split ?? {}
    return {
      loadType: file.loadType,
      federatedMappings: file.mappings,
      propertiesToRemove: file.removed,
      conditionalColumns: file.conditionals.map(definitionOf),
      ...(!split && file.loadType.includes('PROJECT_ITEM') && { workspaceIdentifier: 'main' }),
      ...(split && {
        assortmentSplit: {
          fieldToSplitOn: split.column,
          values,
          partialAssortmentUpdate: isPartial,
          addField,
          dropField,
        },
      }),
    }
  }

  async load(file: File, more: Json = {}): Promise<Load> {
    const text = [file.header, ...file.rows].map(cells => cells.map(quoted).join(',')).join('\n')
    const fileLocation = await upload(this.org, `${text}\n`)
    const started = await this.org.post<Load>('/loader-processes', {
      fileLocation,
      ...this.configurationOf(file),
      ...more,
    })
    expect(started.body).toMatchObject({ status: 'pending' })
    return worked(this.org, started.body.id, SMALL)
  }

  /** Sends every entity back as it was fetched (N65). */
  async sendBack(): Promise<void> {
    for (const path of ['/items', '/project-items', '/assortment-items', ...Object.values(OTHERS)]) {
      const entities = await all(this.org, path)
      const answer = await this.org.put(`${path}/batch`, entities)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
  }

  /** As somebody does between two loads. */
  async edit(key: string, properties: Properties): Promise<void> {
    const [item] = await all(this.org, '/items', { federatedId: key })
    expect((await this.org.put(`/items/${item?.id}`, properties)).status).toBe(200)
  }

  /** Change records so far. */
  async records(): Promise<number> {
    const row = await env.DB.prepare('SELECT count(*) AS n FROM changes WHERE org_id = ?')
      .bind(this.org.id)
      .first<{ n: number }>()
    return Number(row?.n)
  }

  async summary(place: string): Promise<unknown> {
    return (await this.org.get(`/assortments/${this.#assortments[place]}`)).body.summary
  }

  async world(): Promise<World> {
    const items = await all(this.org, '/items')
    const keys = new Map(items.map(({ id, federatedId }) => [id, String(federatedId)]))
    const others = await Promise.all(
      Object.entries(OTHERS).map(async ([kind, path]) =>
        (await all(this.org, path)).map(entity => [kind, entity] as const),
      ),
    )
    for (const [, { id, federatedId }] of others.flat()) keys.set(id, String(federatedId))
    const world: World = { items: {}, projectItems: {}, members: { A1: {}, A2: {} }, others: {} }
    for (const item of items) world.items[String(item.federatedId)] = itemOf(item, keys)
    for (const [kind, entity] of others.flat()) {
      if (entity.typePath === 'custom-entity:maker') continue
      const other: Other = {
        typePath: String(entity.typePath),
        name: String(entity.name),
        properties: propertiesOf(entity, keys),
      }
      world.others[`${kind} ${entity.federatedId}`] = other
    }
    for (const entity of await all(this.org, '/project-items')) {
      world.projectItems[keys.get(entity.itemId) ?? ''] = propertiesOf(entity, keys)
    }
    for (const entity of await all(this.org, '/assortment-items')) {
      const [place] = Object.entries(this.#assortments).find(([, id]) => id === entity.assortmentId) ?? ['']
      const members = world.members[place]
      if (members) members[keys.get(entity.itemId) ?? ''] = propertiesOf(entity, keys)
    }
    return world
  }
}

function itemOf(item: Json, keys: ReadonlyMap<unknown, string>): Item {
  expect(item.roles).toEqual([item.itemFamilyId === undefined ? 'family' : 'option'])
  return {
    typePath: String(item.typePath),
    name: String(item.name),
    family: item.itemFamilyId === undefined ? null : (keys.get(item.itemFamilyId) ?? 'nowhere'),
    optionName: item.optionName === undefined ? null : String(item.optionName),
    optionGroup: item.optionGroup === undefined ? null : String(item.optionGroup),
    properties: propertiesOf(item, keys),
  }
}

function propertiesOf(entity: Json, keys: ReadonlyMap<unknown, string>): Properties {
  const own = Object.entries(entity).filter(
    ([name]) => ![COMMON, STAMPS, OF_ITEMS, OF_PLACES].some(names => names.has(name)),
  )
  const named = (value: unknown): unknown => (Array.isArray(value) ? value.map(named) : (keys.get(value) ?? value))
  return Object.fromEntries(own.map(([name, value]) => [name, named(value)]))
}

function definitionOf({ toProperty, fromProperty, when, default: otherwise }: Conditional): Json {
  const conditions = when && [{ conditional: `{${when.column}} === '${when.equals}'`, value: when.value }]
  return {
    toProperty,
    ...(fromProperty && { fromProperty }),
    ...(conditions && { conditions }),
    ...(otherwise !== undefined && { default: otherwise }),
  }
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
