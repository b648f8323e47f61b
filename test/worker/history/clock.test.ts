import { expect, it } from 'vitest'
import { type Json, newOrg } from '../api.ts'
import { holdClock } from '../clock.ts'

it('N23 no later commit has an earlier time, although the clock of its Worker is behind', async () => {
  const org = await newOrg()
  const clock = holdClock()
  const first = await org.make('/items', { name: 'first' })
  clock.forward(-60_000)
  const second = await org.make('/items', { name: 'second' })
  const changed = (await org.put(`/items/${first.id}`, { name: 'changed' })).body
  await org.delete(`/items/${second.id}`)
  expect(second.createdOn).toBe(first.createdOn)
  expect([changed.createdOn, changed.updatedOn]).toEqual([first.createdOn, first.createdOn])
  const { body } = await org.get('/change-history', { order: { orderField: 'createdOn', order: 'asc' } })
  const records = body.results as (Json & { changeType: string })[]
  expect(records.map(record => record.changeType)).toEqual(['create', 'create', 'update', 'delete'])
  expect(records.map(record => record.createdOn)).toEqual(Array(4).fill(first.createdOn))
  clock.forward(120_000)
  const third = await org.make('/items', { name: 'third' })
  expect(Date.parse(String(third.createdOn)) - Date.parse(String(first.createdOn))).toBe(60_000)
})
