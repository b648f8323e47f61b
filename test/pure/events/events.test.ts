import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { type ChangeEvent, changeEvents, type UnreadChange } from '../../../src/features/history/change-event.ts'
import { deliveryPeriodMs, deliveryWaitMs } from '../../../src/features/outbound/backoff.ts'
import { signatureHeaders, signingKey } from '../../../src/features/outbound/sign.ts'
import { jsonBytes } from '../../../src/platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../../src/platform/limits.ts'

const change = (own: Partial<UnreadChange> & { detail: string }): UnreadChange => ({
  seq: 1,
  id: 'c',
  orgId: 'o',
  entityType: 'item',
  entityId: 'i',
  changeType: 'update',
  createdOn: 2000,
  createdById: 'u',
  createdByType: 'user',
  version: 2,
  depth: 0,
  chainDepth: null,
  madeOn: 1000,
  madeById: 'm',
  beforeOn: 1500,
  beforeById: 'b',
  ...own,
})
const diff = (oldValue: unknown, newValue: unknown) => ({ oldValue, newValue })
const states = (at: number, data: Record<string, unknown>) =>
  Object.entries(data).map(([key, value]) => ({ at, key, value: JSON.stringify(value) }))
const time = (ms: number) => new Date(ms).toISOString()

describe('the event of an update', () => {
  it('N36 shows the state at its time, although later changes have come', () => {
    const rows = [
      change({ detail: JSON.stringify({ name: diff('a', 'b') }) }),
      change({ seq: 3, version: 4, detail: JSON.stringify({ price: diff(5, 6), gone: diff(1, null) }) }),
    ]
    const unheard = { seq: 2, entityId: 'i', changeType: 'update' as const }
    const between = [{ ...unheard, detail: JSON.stringify({ name: diff('b', 'c'), price: diff(null, 5) }) }]
    const events = changeEvents(rows, between, states(3, { name: 'c', price: 6, kept: true }))
    const { newData, oldData } = events.get(1) as unknown as ChangeEvent
    expect(newData).toMatchObject({ id: 'i', name: 'b', gone: 1, kept: true, version: 2 })
    expect(newData).not.toHaveProperty('price')
    expect(oldData).toMatchObject({ name: 'a', version: 1 })
    expect(events.get(3)).toMatchObject({ newData: { name: 'c', price: 6 }, oldData: { price: 5, gone: 1 } })
  })

  it('N68 shows all common fields, as the API would have shown them', () => {
    const events = changeEvents(
      [change({ detail: '{"price":{"oldValue":1,"newValue":2}}' })],
      [],
      states(1, { price: 2 }),
    )
    const common = {
      id: 'i',
      orgId: 'o',
      typePath: null,
      name: null,
      federatedId: null,
      createdOn: time(1000),
      createdById: 'm',
    }
    expect(events.get(1)).toEqual({
      newData: { ...common, updatedOn: time(2000), updatedById: 'u', version: 2, price: 2 },
      oldData: { ...common, updatedOn: time(1500), updatedById: 'b', version: 1, price: 1 },
      propertyDiffs: { price: diff(1, 2) },
    })
  })

  it('N68 of a creation and of a deletion show them too', () => {
    const created = change({ changeType: 'create', version: 1, madeOn: null, madeById: null, detail: '{"name":"a"}' })
    const deleted = change({ seq: 2, changeType: 'delete', version: 3, detail: '{"name":"a"}' })
    const events = changeEvents([created, deleted], [], [])
    const stamp = { createdOn: time(2000), createdById: 'u', updatedOn: time(2000), updatedById: 'u', version: 1 }
    expect(events.get(1)).toMatchObject({ newData: { orgId: 'o', ...stamp }, oldData: null })
    const last = { createdOn: time(1000), createdById: 'm', updatedOn: time(1500), updatedById: 'b', version: 2 }
    expect(events.get(2)).toMatchObject({ newData: null, oldData: { orgId: 'o', ...last } })
  })

  it('N36 is cut down where it is too large for the record of a run, and says so', () => {
    const detail = JSON.stringify({ name: 'x', text: 'y'.repeat(EVENT_MAX_BYTES) })
    const event = changeEvents([change({ changeType: 'create', detail })], [], []).get(1)
    expect(jsonBytes(event)).toBeLessThan(EVENT_MAX_BYTES)
    expect(event).toMatchObject({ truncated: true, newData: { id: 'i', name: 'x' } })
  })

  it('N68 says that it is cut down where a part of the state was too large to be read', () => {
    const rows = [change({ detail: '{"price":{"oldValue":1,"newValue":2}}' })]
    const large = { at: 1, key: 'text', value: null }
    const event = changeEvents(rows, [], [...states(1, { name: 'x', price: 2 }), large]).get(1)
    expect(event).toMatchObject({
      truncated: true,
      newData: { id: 'i', name: 'x' },
      propertyDiffs: { price: diff(1, 2) },
    })
  })
})

describe('signatures', () => {
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`

  it('N41 are those of Standard Webhooks, as another implementation verifies them', async () => {
    const body = '{"type":"item|create","text":"ä"}'
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = await signatureHeaders([secret], { id: 'msg_1', timestamp, body })
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
    const other = `whsec_${btoa('another secret of 32 bytes......')}`
    expect(() => new Webhook(other).verify(body, headers)).toThrow()
  })

  it('N41 are made with the secret before it too while both are in force', async () => {
    const old = `whsec_${btoa('another secret of 32 bytes......')}`
    const signed = { id: 'msg_1', timestamp: Math.floor(Date.now() / 1000), body: '{}' }
    const headers = await signatureHeaders([secret, old], signed)
    for (const known of [secret, old]) expect(new Webhook(known).verify('{}', headers)).toEqual({})
  })

  it('N41 take secrets of 24 to 64 bytes', () => {
    expect(signingKey(secret)).toHaveLength(32)
    for (const wrong of [
      '',
      'whsec_',
      'whsec_!!!',
      secret.slice(6),
      `whsec_${btoa('short')}`,
      `whsec_${btoa('x'.repeat(65))}`,
    ]) {
      expect(signingKey(wrong)).toBeUndefined()
    }
  })
})

describe('tries of a delivery', () => {
  it('N41 go on for about a day with growing waits, locally for seconds', () => {
    const waits = (isLocal: boolean) => {
      const found: number[] = []
      for (
        let wait = deliveryWaitMs(1, { isLocal });
        wait !== undefined;
        wait = deliveryWaitMs(found.length + 1, { isLocal })
      ) {
        found.push(wait)
      }
      return found
    }
    const day = waits(false)
    expect(day).toEqual([...day].sort((a, b) => a - b))
    const sum = day.reduce((a, b) => a + b, 0)
    expect(sum).toBeGreaterThan(20 * 3_600_000)
    expect(sum).toBeLessThanOrEqual(deliveryPeriodMs({ isLocal: false }))
    expect(waits(true).reduce((a, b) => a + b, 0)).toBeLessThan(30_000)
  })
})
