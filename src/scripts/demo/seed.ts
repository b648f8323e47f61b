// The organization `demo` of a local start (N13), made over the service's own API. A second start finds it and leaves it.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ApiError, type Client, connect, type NewEntity, Operator } from '../../clients/typescript/index.ts'
import * as data from './data.ts'

export interface Demo {
  apiKey: string
  email: string
  password: string
}

const EMAIL = 'admin@demo.example'
const SLUG = 'demo'
/** The first answers of a cold start on a busy machine take long. */
const PATIENCE_MS = 180_000

export async function seedDemo(baseUrl: string, operatorKey: string, known?: Demo): Promise<Demo> {
  const connection = { baseUrl, timeoutMs: PATIENCE_MS }
  if (known && (await answers(connect({ ...connection, apiKey: known.apiKey, orgSlug: SLUG })))) return known
  const operator = new Operator({ ...connection, operatorKey })
  const password = await ensureOrg(operator, known?.password)
  const issued = await operator.createKey({ slug: SLUG, name: 'demo', scope: 'write', tier: 'internal' })
  await fillOrganization(connect({ ...connection, apiKey: issued.key, orgSlug: SLUG }))
  return { apiKey: issued.key, email: EMAIL, password }
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

/** The admin's password. Where nobody knows that of an organization that is there already, it gets a new one. */
async function ensureOrg(operator: Operator, known: string | undefined): Promise<string> {
  const password = known ?? randomBytes(12).toString('base64url')
  try {
    await operator.createOrg({ slug: SLUG, name: 'Demo', admin: { email: EMAIL, password } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    if (known === undefined) await resetPassword(operator, password)
  }
  return password
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
