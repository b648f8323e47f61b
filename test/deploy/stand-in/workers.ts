// Workers: versions, deployments, secrets, assets, triggers.
import { randomUUID } from 'node:crypto'
import type { Account, Binding, Metadata, Script, Version } from './account.ts'
import { ApiProblem, type Call, type Handlers, notFound } from './answer.ts'
import { migrated, refuseAcrossMigrations, refuseGradual } from './durable-objects.ts'

const json = async <Shape>({ request }: Call): Promise<Shape> => (await request.json()) as Shape
const jwt = (about: object) => `e30.${Buffer.from(JSON.stringify(about)).toString('base64url')}.x`

export function workerHandlers(account: Account): Handlers {
  const found = (name: string | undefined): Script => {
    const script = account.scripts.get(name ?? '')
    if (!script) throw notFound(10_007, 'This Worker')
    return script
  }
  return {
    'GET /workers/subdomain': () => {
      if (!account.subdomain) throw notFound(10_007, 'The subdomain')
      return { subdomain: account.subdomain }
    },
    'GET /workers/services/:name': ({ name }) => {
      const script = account.scripts.get(name ?? '')
      if (!script) throw notFound(10_090, 'This Worker')
      const { tags, migrationTag: migration_tag } = script
      const about = { tag: 'tag-of-it', tags, last_deployed_from: 'wrangler', ...(migration_tag && { migration_tag }) }
      return { default_environment: { environment: 'production', script: about } }
    },
    'GET /workers/scripts/:name/settings': ({ name }) => ({ bindings: bindingsOf(found(name)) }),
    'PATCH /workers/scripts/:name/script-settings': async ({ name }, call) => {
      const { tags } = await json<{ tags?: string[] }>(call)
      return Object.assign(found(name), tags && { tags })
    },
    'GET /workers/scripts/:name/secrets': ({ name }) =>
      [...found(name).secrets.keys()].map(secret => ({ name: secret, type: 'secret_text' })),
    'GET /workers/scripts/:name/deployments': ({ name }) => ({ deployments: found(name).deployments }),
    'GET /workers/scripts/:name/versions': ({ name }) => ({ items: found(name).versions.map(shownVersion).reverse() }),
    'GET /workers/scripts/:name/versions/:id': ({ name, id }) => {
      const version = found(name).versions.find(each => each.id === id)
      if (!version) throw notFound(10_045, 'The version')
      return { ...shownVersion(version), resources: { bindings: version.metadata.bindings } }
    },
    'POST /workers/scripts/:name/deployments': async ({ name }, call) => {
      const { versions } = await json<{ versions: { version_id: string; percentage: number }[] }>(call)
      return deployed(found(name), versions)
    },
    'POST /workers/scripts/:name/versions': async ({ name }, call) => {
      const version = await uploaded(found(name), call, refuseGradual)
      return { ...shownVersion(version), startup_time_ms: 1, resources: { script: { etag: version.id } } }
    },
    'PUT /workers/scripts/:name': async ({ name = '' }, call) => {
      const script = account.scripts.get(name) ?? newScript()
      const version = await uploaded(script, call)
      account.scripts.set(name, script)
      deployed(script, [{ version_id: version.id, percentage: 100 }])
      return { id: name, etag: version.id, deployment_id: version.id.replaceAll('-', ''), startup_time_ms: 1 }
    },
    'POST /workers/scripts/:name/assets-upload-session': async (_, call) => {
      const { manifest } = await json<{ manifest: Record<string, { hash: string }> }>(call)
      const hashes = [...new Set(Object.values(manifest).map(({ hash }) => hash))]
      const missing = hashes.filter(hash => !account.assets.has(hash))
      return { jwt: jwt({ files: hashes.length }), buckets: missing.length > 0 ? [missing] : [] }
    },
    'POST /workers/assets/upload': async (_, { request }) => {
      for (const [hash] of await request.formData()) account.assets.add(hash)
      return { jwt: jwt({ complete: true }) }
    },
    'GET /workers/scripts/:name/subdomain': ({ name }) => found(name).subdomain,
    'POST /workers/scripts/:name/subdomain': async ({ name }, call) =>
      Object.assign(found(name).subdomain, await json<Script['subdomain']>(call)),
    'PUT /workers/scripts/:name/schedules': async ({ name }, call) => {
      const schedules = await json<unknown[]>(call)
      return { schedules: Object.assign(found(name), { schedules }).schedules }
    },
  }
}

const newScript = (): Script => ({
  versions: [],
  deployments: [],
  secrets: new Map(),
  schedules: [],
  subdomain: { enabled: false, previews_enabled: false },
  migrationTag: undefined,
  classes: new Set(),
  tags: [],
})

const shownVersion = ({ id, metadata: { annotations } }: Version) => ({
  id,
  number: 1,
  metadata: { created_on: '2026-11-15T00:00:00Z', source: 'wrangler', author_email: 'ann@example.com' },
  annotations,
})

/** What the newest version is bound to; a binding that it took over is that of the version before. */
function bindingsOf({ versions, secrets }: Script): Binding[] {
  const current = new Map<string, Binding>()
  for (const { metadata } of versions) {
    const before = new Map(current)
    current.clear()
    for (const binding of metadata.bindings) {
      const inherited = before.get(binding.name)
      if (binding.type !== 'inherit') current.set(binding.name, withId(binding))
      else if (inherited) current.set(binding.name, inherited)
    }
  }
  for (const name of secrets.keys()) current.set(name, { type: 'secret_text', name })
  return [...current.values()]
}

/** Settings name a database by `database_id` and by `id`. */
const withId = (binding: Binding): Binding =>
  binding.type === 'd1' ? { ...binding, database_id: binding.id } : { ...binding }

async function uploaded(
  script: Script,
  { request }: Call,
  check: (metadata: Metadata) => void = () => undefined,
): Promise<Version> {
  const form = await request.formData()
  const metadata: Metadata = JSON.parse(String(form.get('metadata')))
  check(metadata)
  const known = new Set(bindingsOf(script).map(({ name }) => name))
  const strangers = metadata.bindings.filter(({ type, name }) => type === 'inherit' && !known.has(name))
  const [stranger] = strangers
  if (stranger) throw new ApiProblem(400, 10_057, `inherit binding '${stranger.name}' is invalid: nothing to inherit`)
  const modules = new Map<string, string>()
  for (const [name, value] of form)
    if (value instanceof File && name !== 'metadata') modules.set(value.name, await value.text())
  migrated(script, metadata, modules)
  for (const { type, name, text } of metadata.bindings) {
    if (type === 'secret_text') script.secrets.set(name, String(text))
  }
  const version = { id: randomUUID(), metadata, modules, migrationTag: script.migrationTag }
  script.versions.push(version)
  return version
}

function deployed(script: Script, versions: { version_id: string; percentage: number }[]) {
  for (const { version_id } of versions) {
    const version = script.versions.find(({ id }) => id === version_id)
    if (!version) throw notFound(10_045, 'The version')
    refuseAcrossMigrations(script, version)
  }
  const deployment = { id: randomUUID(), created_on: new Date().toISOString(), versions }
  script.deployments.unshift(deployment)
  return deployment
}
