// What the action `entity` writes passes the same checks as what comes over the wire.
import { describe, expect, it } from 'vitest'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { nothingLeft } from '../eventually.ts'
import { type Found, request, tasksOf } from './runs.ts'

/** The only task of a run that has ended. */
async function outcomeOf(org: TestOrg, config: Json): Promise<Found | undefined> {
  const triggerKey = `go ${crypto.randomUUID()}`
  const tasks = [{ name: 'write', action: 'entity', config }]
  await org.make('/event-workflows', { triggerKey, paths: [{ tasks }] })
  const [process] = await request(org, triggerKey)
  await nothingLeft(org)
  return (await tasksOf(org, process?.id ?? ''))[0]
}

const REFUSED: [string, string, Json][] = [
  ['a name that is no text', 'item', { name: 5 }],
  ['a type path of another type', 'item', { typePath: 'color' }],
  ['a hex that is none', 'color', { hex: 'zzz' }],
  ['a project item without its references', 'project-item', { name: 'x' }],
  [
    'a property type that there is not',
    'type',
    { typePath: 'item:x', properties: [{ slug: 'a', propertyType: 'no' }] },
  ],
]

describe('the action entity', () => {
  it.each(REFUSED)('N65 refuses to create %s, as the API does', async (_, entityName, object) => {
    const org = await newOrg()
    const path = entityName === 'type' ? '/types' : `/${entityName}s`
    expect((await org.post(path, object)).status).toBe(400)
    const task = await outcomeOf(org, { operation: 'create', entityName, object })
    expect(task).toMatchObject({ status: 'failed' })
    expect((await org.get(path)).body.results).toEqual([])
  })

  it('N65 refuses to update to what the API refuses, and keeps what was stored', async () => {
    const org = await newOrg()
    const color = await org.make('/colors', { name: 'red', hex: '#ff0000' })
    for (const object of [{ hex: 'zzz' }, { name: 5 }, { typePath: 'item' }]) {
      const task = await outcomeOf(org, { operation: 'update', entityName: 'color', id: color.id, object })
      expect(task).toMatchObject({ status: 'failed' })
    }
    expect((await org.get(`/colors/${color.id}`)).body).toMatchObject({ hex: '#ff0000', name: 'red', version: 1 })
  })

  it('N65 writes what the API takes', async () => {
    const org = await newOrg()
    const object = { name: '{event.name}', hex: '#00ff00' }
    const task = await outcomeOf(org, { operation: 'create', entityName: 'color', object })
    expect(task).toMatchObject({ status: 'complete', output: { hex: '#00ff00' } })
  })
})
