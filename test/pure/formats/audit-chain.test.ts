// A trail that was taken out: whatever is done to its lines shows, and where first.
import { describe, expect, it } from 'vitest'
import {
  type AuditLine,
  type ChainHead,
  digestOfLine,
  headIn,
  headText,
  verifyChain,
} from '../../../src/platform/formats/audit-chain.ts'

async function chainOf(actions: readonly string[], from: ChainHead = { number: 0, digest: '' }): Promise<AuditLine[]> {
  const lines: AuditLine[] = []
  for (const action of actions) {
    const before = lines.at(-1) ?? from
    const line = {
      number: before.number + 1,
      id: `id ${action}`,
      organizationId: 'org',
      createdOn: '2026-11-16T00:00:00.000Z',
      action,
      actorType: 'user',
      actorId: null,
      address: '10.0.0.1',
      subjectId: null,
      detail: { b: 1, a: 'ä' },
      previousDigest: before.digest,
    }
    lines.push({ ...line, digest: await digestOfLine(line) })
  }
  return lines
}

const textsOf = (lines: readonly AuditLine[]) => lines.map(line => JSON.stringify(line))
const headOf = (lines: readonly AuditLine[]): ChainHead => lines.at(-1) as AuditLine
const faultOf = async (lines: readonly AuditLine[], heads?: readonly ChainHead[]) =>
  (await verifyChain(textsOf(lines), heads)).fault

describe('a trail of six lines', async () => {
  const lines = await chainOf(['a', 'b', 'c', 'd', 'e', 'f'])
  const at = (index: number) => lines[index] as AuditLine
  const head = headOf(lines)

  it('is whole as it was written, whatever the order of the keys in a line', async () => {
    expect(await verifyChain(textsOf(lines), [head, at(2)])).toMatchObject({
      lines: 6,
      first: at(0),
      head: { number: 6 },
    })
    expect(await faultOf(lines, [head, at(2)])).toBeUndefined()
    const turned = lines.map(line => Object.fromEntries(Object.entries(line).reverse()) as unknown as AuditLine)
    expect(await faultOf(turned, [head])).toBeUndefined()
  })

  it.each(Object.keys(lines[0] as AuditLine))('shows a change of %s, at its line', async name => {
    const value = at(2)[name as keyof AuditLine]
    const other = typeof value === 'number' ? value + 10 : typeof value === 'object' ? { x: 1 } : `${value}x`
    const changed = lines.with(2, { ...at(2), [name]: other })
    expect(await faultOf(changed)).toMatchObject({ kind: 'changed', line: 3 })
  })

  it('shows lines that were removed, and which', async () => {
    const fault = await faultOf(lines.toSpliced(2, 2))
    expect(fault).toMatchObject({ kind: 'removed', line: 3, message: expect.stringContaining('3 to 4') })
    expect(await faultOf(lines.toSpliced(1, 1))).toMatchObject({ message: expect.stringContaining('number 2 was') })
  })

  it('shows a line that was inserted, however well it is made', async () => {
    const [forged] = await chainOf(['forged'], at(2))
    expect(await faultOf(lines.toSpliced(3, 0, forged as AuditLine))).toMatchObject({ kind: 'inserted', line: 5 })
    expect(await faultOf(lines.toSpliced(3, 0, at(2)))).toMatchObject({ kind: 'inserted', line: 4 })
  })

  it('shows a line that was replaced by one with a right digest', async () => {
    const [forged] = await chainOf(['forged'], at(1))
    expect(await faultOf(lines.with(2, forged as AuditLine))).toMatchObject({ kind: 'replaced', line: 4 })
  })

  it('shows lines that changed places', async () => {
    expect(await faultOf(lines.with(1, at(2)).with(2, at(1)))).toMatchObject({ kind: 'removed', line: 2 })
  })

  it('shows a cut at the end against the head, and not without it', async () => {
    expect(await faultOf(lines.slice(0, 4))).toBeUndefined()
    expect(await faultOf(lines.slice(0, 4), [head])).toMatchObject({ kind: 'cut', line: 5 })
    expect(await faultOf([], [head])).toMatchObject({ kind: 'cut', line: 1 })
  })

  it('shows a trail that was made anew from a line on against any head from there on', async () => {
    const anew = [...lines.slice(0, 2), ...(await chainOf(['x', 'd', 'e', 'f'], at(1)))]
    expect(await faultOf(anew)).toBeUndefined()
    expect(await faultOf(anew, [at(1)])).toBeUndefined()
    expect(await faultOf(anew, [head])).toMatchObject({ kind: 'other-head', line: 6 })
    expect(await faultOf(anew, [at(3)])).toMatchObject({ kind: 'other-head', line: 4 })
  })

  it('verifies from where it begins after a sweep; a head from before connects at the first line only', async () => {
    const rest = lines.slice(3)
    expect(await faultOf(rest, [head, at(2)])).toBeUndefined()
    expect(await faultOf(rest, [{ number: 3, digest: 'other' }])).toMatchObject({ kind: 'other-head', line: 1 })
    expect(await faultOf(rest, [at(0)])).toMatchObject({ kind: 'cut', line: 1 })
    const [first] = await chainOf(['first'])
    expect(await faultOf([{ ...(first as AuditLine), previousDigest: 'x' }])).toMatchObject({ kind: 'changed' })
  })

  it('tells a line that is none, and a first line that cannot be one', async () => {
    for (const text of ['', 'null', '{}', '{"number":1', '{"number":"1","previousDigest":"","digest":""}']) {
      const { fault } = await verifyChain([JSON.stringify(at(0)), text])
      expect(fault, text).toMatchObject({ kind: 'unreadable', line: 2 })
    }
    const [late] = await chainOf(['late'], { number: 4, digest: '' })
    expect(await faultOf([late as AuditLine])).toMatchObject({ kind: 'replaced', line: 1 })
  })
})

describe('a head', () => {
  it('is written as number and digest, and read again', () => {
    expect(headIn(headText({ number: 57, digest: 'a_B-9' }))).toEqual({ number: 57, digest: 'a_B-9' })
    expect(headIn('0:')).toEqual({ number: 0, digest: '' })
    for (const text of ['', '57', 'x:y', '-1:a', '5:a b', ':a']) expect(headIn(text), text).toBeUndefined()
  })
})
