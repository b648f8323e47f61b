// The restore drill (N63): a large organization is saved from one service and brought back into another, empty one; then every answer of
// both is compared. Run by `npm run drill`; DRILL_ENTITIES and DRILL_FILES make it larger or smaller.

import { createHash } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { ArchiveFile } from '../../src/clients/cli/backup/archive-file.ts'
import { bringBack, check } from '../../src/clients/cli/backup/bring-back.ts'
import { takeAll } from '../../src/clients/cli/backup/take.ts'
import { connect, Operator } from '../../src/clients/typescript/index.ts'
import { KINDS } from '../../src/kinds.ts'
import { type Service, startService } from '../clients/service/start.ts'

const ENTITIES = Number(process.env.DRILL_ENTITIES ?? 100_000)
const FILES = Number(process.env.DRILL_FILES ?? 100)
const FILE_BYTES = 100_000
const LARGE_BYTES = 20 * 1024 * 1024
const BATCH = 1000
const PASSPHRASE = 'the passphrase of the drill'
const SLUG = 'drill'

const never = new AbortController().signal
let peak = 0
const watching = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 50)

async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  peak = 0
  const result = await act()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${what}: ${seconds} s, ${(peak / 1024 / 1024).toFixed(0)} MB in this process`)
  return result
}

async function furnish(service: Service): Promise<string> {
  const operator = new Operator(service.operator)
  await operator.createOrg({ slug: SLUG, name: 'Drill' })
  const { key } = await operator.createKey({ slug: SLUG, name: 'drill', tier: 'internal' })
  const client = connect({ baseUrl: service.key.baseUrl, orgSlug: SLUG, apiKey: key })
  const properties = ['season', 'price'].map(slug => ({ slug, label: slug, propertyType: 'string' }))
  await client.entities.create({ entityName: 'type', object: { typePath: 'item:shoe', label: 'Shoe', properties } })
  for (let at = 0; at < ENTITIES; at += BATCH) {
    const objects = Array.from({ length: Math.min(BATCH, ENTITIES - at) }, (_, n) => ({
      name: `Style ${at + n}`,
      typePath: 'item:shoe',
      federatedId: `S-${at + n}`,
      season: 'SS27',
      price: String((at + n) / 100),
      text: 'Waterproof, "taped" seams. '.repeat(4),
    }))
    const { results } = await client.entities.createBatch({ entityName: 'item', objects })
    const changed = results.slice(0, 50).map(({ id }) => ({ id, season: 'AW27' }))
    await client.entities.updateBatch({ entityName: 'item', objects: changed })
    await client.entities.deleteBatch({ entityName: 'item', ids: results.slice(50, 55).map(({ id }) => id) })
  }
  for (let n = 0; n < FILES; n++) {
    const size = n === 0 ? LARGE_BYTES : FILE_BYTES
    const content = new Uint8Array(size).map((_, at) => (at * 31 + n) % 251)
    await client.files.upload({ content, fileName: `file-${n}.bin` })
  }
  return key
}

/** Pages of one path, one after the other, as they come. */
async function* answers({ key: { baseUrl } }: Service, apiKey: string, address: string): AsyncGenerator<string> {
  for (let key: string | null = ''; key !== null; ) {
    const response: Response = await fetch(`${baseUrl}${address}${key ? `&nextPageKey=${key}` : ''}`, {
      headers: { 'X-Api-Key': apiKey, 'X-Api-Org': SLUG },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${address}: ${text}`)
    yield text
    key = (JSON.parse(text) as { nextPageKey?: string | null }).nextPageKey ?? null
  }
}

/** How many answers there were; one that differs ends the drill. */
async function compare(from: Service, to: Service, apiKey: string): Promise<number> {
  const lists = KINDS.filter(({ path: kind }) => kind !== 'types').map(({ path: kind }) => `/${kind}?limit=1000`)
  const all = [...lists, '/types?', '/change-history?limit=1000', '/change-history?limit=1000&after=']
  let count = 0
  for (const address of all) {
    const others = answers(to, apiKey, address)
    for await (const one of answers(from, apiKey, address)) {
      const { value: other } = await others.next()
      if (one !== other) throw new Error(`${address} differs: ${one.slice(0, 500)} … ${String(other).slice(0, 500)}`)
      count++
    }
    if (!(await others.next()).done) throw new Error(`${address} has more pages`)
  }
  return count
}

async function compareFiles(from: Service, to: Service, apiKey: string): Promise<number> {
  const digestsOf = async ({ key: { baseUrl } }: Service) => {
    const client = connect({ baseUrl, orgSlug: SLUG, apiKey })
    const digests: string[] = []
    for await (const { id } of client.entities.listAll({ entityName: 'file' })) {
      const bytes = new Uint8Array(await (await client.files.download({ id })).arrayBuffer())
      digests.push(`${id} ${createHash('sha256').update(bytes).digest('hex')}`)
    }
    return digests
  }
  const [one, other] = [await digestsOf(from), await digestsOf(to)]
  if (one.join() !== other.join()) throw new Error('contents of files differ')
  return one.length
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'selvedge-drill-'))
const from = await startService()
const to = await startService()
try {
  const apiKey = await timed(`furnish (${ENTITIES} entities, ${FILES} files)`, () => furnish(from))
  const file = path.join(folder, 'drill.selvedge')
  await timed('backup', async () => {
    const operator = new Operator(from.operator)
    const about = { slug: SLUG, createdOn: new Date().toISOString(), source: operator.backups.baseUrl }
    const archive = await ArchiveFile.open(file, about, PASSPHRASE)
    const taken = await takeAll({
      operator,
      slug: SLUG,
      archive,
      secrets: 'open',
      signal: never,
      told: () => undefined,
    })
    await archive.finish()
    console.log(
      `${taken.pages} pages, ${taken.files} contents, ${((await stat(file)).size / 1024 / 1024).toFixed(1)} MB`,
    )
  })
  const checked = await timed('check', () => check(file, PASSPHRASE))
  await timed('restore', async () => {
    const operator = new Operator(to.operator)
    const bringing = {
      operator,
      file,
      passphrase: PASSPHRASE,
      checked,
      slug: undefined,
      suspended: false,
      signal: never,
    }
    const restored = await bringBack({ ...bringing, told: () => undefined })
    console.log(`restored as ${restored.slug}, places kept: ${!restored.isShifted}`)
  })
  await timed('compare', async () => {
    console.log(
      `${await compare(from, to, apiKey)} answers and ${await compareFiles(from, to, apiKey)} contents are the same`,
    )
  })
} finally {
  clearInterval(watching)
  await from.stop()
  await to.stop()
  await rm(folder, { recursive: true, force: true })
}
