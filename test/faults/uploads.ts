// Uploads in every way there is; what was acknowledged must come back byte by byte.
import type { Random } from '../worker/loads/differential/random.ts'
import { careful, expected } from './client.ts'
import type { Entity, World } from './world.ts'

/** Files by their id, with the content that was acknowledged. */
export type Uploads = Map<string, string>

export async function upload(world: World, uploads: Uploads): Promise<void> {
  const random = world.random('uploads')
  while (!world.isOver) {
    const name = world.operation('upload')
    const content = `${name} ${'x'.repeat(random.below(40_000))}`
    const way = random.pick([atOnce, afterwards, inParts])
    uploads.set(await way(world, name, content, random), content)
    world.count('uploads')
  }
}

async function atOnce(world: World, name: string, body: string): Promise<string> {
  const made = await expected<Entity>(world, [201], 'POST', `/files?fileName=${name}.csv`, { key: name, body })
  return made.body.id
}

async function pending(world: World, name: string): Promise<string> {
  const body = { fileName: `${name}.csv`, contentType: 'text/csv' }
  return (await expected<Entity>(world, [201], 'POST', '/files', { key: name, body })).body.id
}

async function afterwards(world: World, name: string, body: string): Promise<string> {
  const id = await pending(world, name)
  const put = await careful(world, 'PUT', `/files/${id}/content`, { body })
  // The first try has come through, but not its answer.
  world.check('a PUT of content', put.status === 200 || (put.isRepeat && put.status === 409), put)
  return id
}

async function inParts(world: World, name: string, body: string, random: Random): Promise<string> {
  const id = await pending(world, name)
  const key = random.chance(0.5) ? { key: `${name} part` } : {}
  await expected(world, [200], 'POST', `/files/${id}/parts?partNumber=1`, { ...key, body })
  await expected(world, [200], 'POST', `/files/${id}/complete`)
  return id
}

export async function checkUploads(world: World, uploads: Uploads): Promise<void> {
  for (const [id, content] of uploads) {
    const record = await expected<Entity>(world, [200], 'GET', `/files/${id}`)
    const isWhole = record.body.status === 'ready' && record.body.size === content.length
    world.check('an upload is not whole', isWhole, record.body)
    const { text } = (await expected<{ text: string }>(world, [200], 'GET', `/files/${id}/content`)).body
    world.check('an upload has other content', text === content, { id, length: text?.length })
  }
}
