// The organization `demo` of a local start (N13), made over the service's own API. A second start finds it and leaves it.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ApiError, type Client, connect, type NewEntity, Operator } from '../../clients/typescript/index.ts'
import * as data from './data.ts'
import type { Demo, DemoMemory } from './memory.ts'

const EMAIL = 'admin@demo.example'
const SLUG = 'demo'
/** The first answers of a cold start on a busy machine take long. */
const PATIENCE_MS = 180_000

export async function seedDemo(baseUrl: string, operatorKey: string, memory: DemoMemory): Promise<Demo> {
  const connection = { baseUrl, timeoutMs: PATIENCE_MS }
  const clientOf = (apiKey: string) => connect({ ...connection, apiKey, orgSlug: SLUG })
  const known = memory.known()
  const isValid = known && (await answers(clientOf(known.apiKey)))
  const demo = isValid ? known : await withNewKey(new Operator({ ...connection, operatorKey }), known, clientOf)
  if (demo.isFilled !== false) return isValid ? demo : memory.remember(demo)
  // Whoever dies on the way goes on with the same key at the next start.
  memory.remember(demo)
  await fillOrganization(clientOf(demo.apiKey))
  return memory.remember({ ...demo, isFilled: true })
}

/** The organization where there is none, and a key. What is there may have been edited, and is to be filled only where it never was. */
async function withNewKey(
  operator: Operator,
  known: Demo | undefined,
  clientOf: (apiKey: string) => Client,
): Promise<Demo> {
  const { password, isNew } = await ensureOrg(operator, known?.password)
  const { key: apiKey } = await operator.createKey({ slug: SLUG, name: 'demo', scope: 'write', tier: 'internal' })
  const isUnfinished = isNew || known?.isFilled === false || (await isUntouched(clientOf(apiKey)))
  return { apiKey, email: EMAIL, password, isFilled: !isUnfinished }
}

/** Nothing was ever written to it: the first start died before it came to that. */
async function isUntouched(client: Client): Promise<boolean> {
  const { results } = await client.changes.list({ limit: 1 })
  return results.length === 0
}

async function answers(client: Client): Promise<boolean> {
  try {
    await client.me()
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}

/** With the admin's password. Where nobody knows that of an organization that is there already, it gets a new one. */
async function ensureOrg(operator: Operator, known: string | undefined): Promise<{ password: string; isNew: boolean }> {
  const password = known ?? randomBytes(12).toString('base64url')
  try {
    await operator.createOrg({ slug: SLUG, name: 'Demo', admin: { email: EMAIL, password } })
    return { password, isNew: true }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    if (known === undefined) await resetPassword(operator, password)
    return { password, isNew: false }
  }
}

async function resetPassword(operator: Operator, newPassword: string): Promise<void> {
  const { token } = await operator.passwordReset({ slug: SLUG, email: EMAIL })
  const path = '/auth/password-reset'
  await operator.request({ method: 'POST', path, json: { token, newPassword }, repeat: 'never' })
}

/** Writes what a first start shows. */
export async function fillOrganization(client: Client): Promise<void> {
  const write = async (entityName: string, objects: readonly NewEntity[]) => {
    const { results } = await client.entities.upsertBatch({ entityName, objects })
    return new Map(results.map(each => [each.federatedId, each.id]))
  }
  await write('type', data.TYPES)
  await write('color', data.COLORS)
  await write('size-range-template', data.SIZES)
  const families = await write('item', data.FAMILIES)
  const options = await write(
    'item',
    data.OPTIONS.map(({ family, color }) => ({
      ...inherited(family),
      federatedId: `${family}-${color}`,
      name: `${nameOf(family)}, ${color}`,
      roles: ['option'],
      itemFamilyId: families.get(family),
      optionGroup: 'color',
      optionName: color,
    })),
  )
  const projectId = (await write('project', [data.PROJECT])).get(data.PROJECT.federatedId)
  const workspaces = await write('workspace', [{ ...data.WORKSPACE, projectId }])
  const workspaceId = workspaces.get(data.WORKSPACE.federatedId)
  const assortments = await write(
    'assortment',
    data.ASSORTMENTS.map(each => ({ ...each, workspaceId })),
  )
  const memberAssortmentIds = [...assortments.values()]
  await write('assortment', [{ ...data.COMPOSITE, workspaceId, memberAssortmentIds }])
  await writeMembers(write, { projectId, families, options, assortments })
  for (const id of memberAssortmentIds) await client.assortments.publish({ id })
  await write('event-workflow', [data.WORKFLOW])
  for (const fileName of ['styles.csv', 'styles.yaml']) {
    const content = await readFile(path.join(import.meta.dirname, fileName), 'utf8')
    const contentType = fileName.endsWith('.csv') ? 'text/csv' : 'application/yaml'
    await client.files.upload({ content, fileName, contentType })
  }
}

interface Written {
  projectId: string | undefined
  families: ReadonlyMap<string | null, string>
  options: ReadonlyMap<string | null, string>
  assortments: ReadonlyMap<string | null, string>
}

/** The items of the season, and the place of each option and its family in the assortments. */
async function writeMembers(
  write: (entityName: string, objects: readonly NewEntity[]) => Promise<Map<string | null, string>>,
  { projectId, families, options, assortments }: Written,
): Promise<void> {
  const items = [...families, ...options]
  const projectItems = await write(
    'project-item',
    items.map(([federatedId, itemId]) => ({ federatedId, itemId, projectId })),
  )
  const members = new Map<string, NewEntity>()
  for (const { family, color, assortments: places } of data.OPTIONS) {
    for (const place of places) {
      for (const key of [family, `${family}-${color}`]) {
        const federatedId = `${place}:${key}`
        const itemId = families.get(key) ?? options.get(key)
        const references = { itemId, assortmentId: assortments.get(place), projectItemId: projectItems.get(key) }
        members.set(federatedId, { federatedId, ...references })
      }
    }
  }
  await write('assortment-item', [...members.values()])
}

function nameOf(family: string): string {
  return data.FAMILIES.find(each => each.federatedId === family)?.name ?? family
}

/** What an option shows of its family: everything but its keys. */
function inherited(family: string): NewEntity {
  const found = data.FAMILIES.find(each => each.federatedId === family)
  const { federatedId: _key, name: _name, roles: _roles, ...rest } = found ?? { federatedId: '', name: '', roles: [] }
  return rest
}
