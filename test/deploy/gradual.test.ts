// What the guide on deploying tells people to type for a gradual rollout, and for the way back. // N62
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previousWorker } from '../upgrade/release.ts'
import { World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const script = () => {
  const found = world.account.scripts.get('selvedge')
  if (!found) throw new Error('no Worker was deployed')
  return found
}
const newest = () => script().versions.at(-1)?.id ?? ''
const share = () => script().deployments[0]?.versions.map(({ version_id, percentage }) => [version_id, percentage])
const guide = () => world.clone.read('src/guides/deploy.md')
const blockWith = (words: string) =>
  [...guide().matchAll(/```text\n(.*?)```/gs)].map(([, block = '']) => block).find(block => block.includes(words)) ?? ''

/** A line of the guide, with what stands for something put in. */
async function typed(begin: string, values: Record<string, string> = {}): Promise<string> {
  const lines = blockWith('versions upload').split('\n')
  const line = lines.find(each => each.startsWith(begin))
  if (!line) throw new Error(`the guide has no line ${begin}`)
  const [, ...words] = line
    .replace(/\s+#.*/, '')
    .replaceAll(/\b[A-Z_]+\b/g, word => values[word] ?? word)
    .split(' ')
  const { code, text } =
    words[0] === 'run' ? await world.deploy(words.slice(3)) : await world.clone.wrangler(words.slice(1))
  expect(code, text).toBe(0)
  return text
}

describe('N62 the way back past a new class', () => {
  const wrangler = () => world.clone.wrangler(['deploy', '--config', 'first/wrangler.toml'])
  let first = ''

  beforeAll(async () => {
    const { script: code, configuration } = previousWorker()
    const folder = path.join(world.clone.folder, 'first')
    mkdirSync(path.join(folder, 'dist/assets'), { recursive: true })
    mkdirSync(path.join(folder, 'src'))
    writeFileSync(path.join(folder, 'src/index.ts'), code)
    writeFileSync(path.join(folder, 'wrangler.toml'), readFileSync(configuration, 'utf8'))
    // Its own script made this one.
    world.account.queues.push({ queue_id: 'd'.repeat(32), queue_name: 'selvedge-dead-letters', consumers: [] })
    const outcome = await wrangler()
    expect(outcome.code, outcome.text).toBe(0)
    first = newest()
    expect((await world.deploy()).code).toBe(0)
  })

  it('is refused by a rollback, and by a deploy of the old tree as it is', async () => {
    const back = await world.clone.wrangler(['rollback', first, '--yes', '--env='])
    expect(back.code).toBe(1)
    expect(back.text).toContain('A Durable Object migration has occurred')
    expect((await wrangler()).code).toBe(1)
    expect(share()).toEqual([[newest(), 100]])
  })

  it('is a deploy of the old tree with the classes that it does not know; the newer one follows it', async () => {
    const secrets = [...script().secrets]
    const migrations = /(\[\[migrations\]\]\n.*?\n\n)+/s
    const [newer = ''] = /(?:\[\[migrations\]\]\n(?:.+\n)+\n)+/.exec(world.clone.read('wrangler.toml')) ?? []
    world.clone.change('first/wrangler.toml', text => text.replace(migrations, newer))
    world.clone.change('first/src/index.ts', text => `${text}\n${blockWith('HashingObject')}`)
    const outcome = await wrangler()
    expect(outcome.code, outcome.text).toBe(0)
    expect(share()).toEqual([[newest(), 100]])
    expect([...script().secrets]).toEqual(secrets)
    const forward = await world.deploy()
    expect(forward.code, forward.text).toBe(0)
  })
})

describe('N62 a gradual rollout', () => {
  it('has the new schema before the new code, then a tenth of the requests, all of them, and a way back', async () => {
    const OLD_ID = newest()
    writeFileSync(path.join(world.clone.folder, 'drizzle/9999_more.sql'), 'CREATE TABLE more (id TEXT);\n')
    const applied = () =>
      world.account.databases.map(({ sqlite }) => sqlite.prepare('SELECT max(name) AS last FROM d1_migrations').get())
    expect(await typed('npm run deploy')).toContain('No code was deployed.')
    expect(applied()).toEqual(world.account.databases.map(() => ({ last: '9999_more.sql' })))
    expect(newest()).toBe(OLD_ID)

    await typed('npx wrangler versions upload', { VERSION: '98.7.6' })
    const NEW_ID = newest()
    expect(NEW_ID).not.toBe(OLD_ID)
    expect(script().versions.at(-1)?.metadata.annotations?.['workers/tag']).toBe('98.7.6')
    expect(share()).toEqual([[OLD_ID, 100]])

    await typed('npx wrangler versions deploy NEW_ID@10%', { NEW_ID, OLD_ID })
    expect(new Map(share() as [string, number][])).toEqual(
      new Map([
        [NEW_ID, 10],
        [OLD_ID, 90],
      ]),
    )
    await typed('npx wrangler versions deploy NEW_ID@100%', { NEW_ID })
    expect(share()).toEqual([[NEW_ID, 100]])
    await typed('npx wrangler rollback', { OLD_ID })
    expect(share()).toEqual([[OLD_ID, 100]])
    expect(world.standIn.strangers).toEqual([])
  })
})
