// Answers that fit into what an agent can read, with a key to go on (N55).
import { describe, expect, it } from 'vitest'
import { AGENT_ANSWER_MAX_BYTES } from '../../../src/platform/limits.ts'
import { type Json, newOrg } from '../api.ts'
import { Agent } from './agent.ts'

const TEXT = '<b>5 KB</b> '.repeat(420)

/** Every page of a tool, as an agent would read on. */
async function pagesOf(agent: Agent, name: string, input: Json, list: string): Promise<Json[][]> {
  const pages: Json[][] = []
  for (let nextPageKey: unknown; nextPageKey !== null; ) {
    const { text, value } = await agent.call(name, { ...input, ...(pages.length > 0 && { nextPageKey }) })
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(AGENT_ANSWER_MAX_BYTES)
    pages.push(value[list] as Json[])
    nextPageKey = value.nextPageKey
  }
  return pages
}

describe('N55 a long answer', () => {
  it('ends early, and goes on where it ended: none is missed, none comes twice', async () => {
    const org = await newOrg()
    const sent = Array.from({ length: 25 }, (_, at) => ({ name: `item ${at}`, note: TEXT }))
    await org.post('/items/batch', sent)
    const agent = new Agent(org.headers)
    const found = await pagesOf(agent, 'find_entities', { entityType: 'item', limit: 25 }, 'results')
    expect(found.length).toBeGreaterThan(3)
    expect(found.flat().map(({ name }) => name)).toEqual(sent.map(({ name }) => name))
    expect(found.flat().every(({ note }) => note === TEXT)).toBe(true)
    const short = await pagesOf(
      agent,
      'find_entities',
      { entityType: 'item', limit: 25, properties: ['name'] },
      'results',
    )
    expect(short.map(page => page.length)).toEqual([25])
    expect(Object.keys(short[0]?.[0] ?? {})).toEqual(['id', 'name'])
    const changes = await pagesOf(agent, 'change_history', { entityType: 'item', after: '' }, 'results')
    expect(changes.flat()).toHaveLength(25)
    expect(new Set(changes.flat().map(({ id }) => id)).size).toBe(25)
  })

  it('of one entity is cut where it is too long, and says so', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { name: 'long', note: 'x'.repeat(300_000), price: 5 })
    await org.put(`/items/${item.id}`, { note: 'y'.repeat(300_000) })
    const agent = new Agent(org.headers)
    const { text, value } = await agent.call('get_entity', { entityType: 'item', id: item.id })
    expect(text.length).toBeLessThanOrEqual(AGENT_ANSWER_MAX_BYTES)
    expect(value.entity).toMatchObject({
      id: item.id,
      price: 5,
      note: expect.stringMatching(/^y+… \(cut, 300000 characters\)$/),
    })
    const listed = await agent.value('find_entities', { entityType: 'item' })
    expect(listed).toMatchObject({ results: [{ id: item.id, price: 5 }], nextPageKey: null })
    const written = await agent.call('write_entities', {
      entityType: 'item',
      entities: [{ id: item.id, note: 'z'.repeat(300_000) }],
      dryRun: true,
    })
    expect([written.isError, written.text.length < AGENT_ANSWER_MAX_BYTES]).toEqual([false, true])
  })

  it('of many types goes on as well', async () => {
    const org = await newOrg()
    const properties = Array.from({ length: 300 }, (_, at) => ({
      slug: `p${at}`,
      propertyType: 'choice',
      options: Array.from({ length: 20 }, (_each, option) => `option ${option} of property ${at}`),
    }))
    await org.make('/types', { typePath: 'item:wide', properties })
    const agent = new Agent(org.headers)
    const pages = await pagesOf(agent, 'describe_types', { typePath: 'item:wide' }, 'properties')
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat().map(({ slug }) => slug)).toEqual(properties.map(({ slug }) => slug))
    const foreign = await agent.call('describe_types', { typePath: 'item', nextPageKey: 'made-up' })
    expect([foreign.isError, foreign.value.code]).toEqual([true, 'invalid_input'])
  })
})
