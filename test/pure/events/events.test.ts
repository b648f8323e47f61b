import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { boundedEvent, type ChangeRow, changeEvent } from '../../../src/features/history/change-event.ts'
import { deliveryPeriodMs, deliveryWaitMs } from '../../../src/features/outbound/backoff.ts'
import { signatureHeaders, signingKey } from '../../../src/features/outbound/sign.ts'
import { jsonBytes } from '../../../src/platform/json-size.ts'
import { EVENT_MAX_BYTES } from '../../../src/platform/limits.ts'

const change = (own: Partial<ChangeRow> & { detail: string }): ChangeRow => ({
  seq: 1,
  entity_type: 'item',
  entity_id: 'i',
  change_type: 'update',
  created_on: 0,
  created_by_id: 'u',
  version: 2,
  ...own,
})
const diff = (oldValue: unknown, newValue: unknown) => ({ oldValue, newValue })

describe('the event of an update', () => {
  it('N36 shows the state at its time, although later changes have come', () => {
    const row = change({ detail: JSON.stringify({ name: diff('a', 'b') }) })
    const later = [
      change({ seq: 2, version: 3, detail: JSON.stringify({ name: diff('b', 'c'), price: diff(null, 5) }) }),
      change({ seq: 3, version: 4, detail: JSON.stringify({ price: diff(5, 6), gone: diff(1, null) }) }),
    ]
    const { newData, oldData } = changeEvent(row, { name: 'c', price: 6, kept: true }, later)
    expect(newData).toMatchObject({ id: 'i', name: 'b', gone: 1, kept: true, version: 2 })
    expect(newData).not.toHaveProperty('price')
    expect(oldData).toMatchObject({ name: 'a', version: 1 })
  })

  it('N36 also of an entity that has been deleted since', () => {
    const row = change({ detail: JSON.stringify({ name: diff('a', 'b') }) })
    const later = [change({ seq: 2, change_type: 'delete', detail: JSON.stringify({ name: 'b', kept: 1 }) })]
    expect(changeEvent(row, undefined, later).newData).toMatchObject({ name: 'b', kept: 1 })
  })

  it('N36 is cut down where it is too large for the record of a run, and says so', () => {
    const detail = JSON.stringify({ name: 'x', text: 'y'.repeat(EVENT_MAX_BYTES) })
    const event = boundedEvent(changeEvent(change({ change_type: 'create', detail }), undefined, []))
    expect(jsonBytes(event)).toBeLessThan(EVENT_MAX_BYTES)
    expect(event).toMatchObject({ truncated: true, newData: { id: 'i', name: 'x' } })
  })
})

describe('signatures', () => {
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`

  it('N41 are those of Standard Webhooks, as another implementation verifies them', async () => {
    const body = '{"type":"item|create","text":"ä"}'
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = await signatureHeaders(secret, { id: 'msg_1', timestamp, body })
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
    const other = `whsec_${btoa('another secret of 32 bytes......')}`
    expect(() => new Webhook(other).verify(body, headers)).toThrow()
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
