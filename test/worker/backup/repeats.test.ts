// Calls of a restore that come twice, at once or later (N63).
import { describe, expect, it, vi } from 'vitest'
import { findRestore, OUT_OF_TURN, step } from '../../../src/features/backup/store/restores.ts'
import { Database } from '../../../src/platform/db/client.ts'
import { UPLOAD_PART_BYTES } from '../../../src/platform/limits.ts'
import { type Answer, env, newOrg, operator } from '../api.ts'
import { type Archive, begin, complete, deleteOrg, partsOf, restore, sendPart, takeArchive } from './archive.ts'

async function gone(content = 'content') {
  const org = await newOrg()
  await org.make('/items', { name: 'a' })
  await org.call('POST', '/files?fileName=a.txt', { body: content, headers: { 'Content-Type': 'text/plain' } })
  const archive = await takeArchive(org.slug)
  await deleteOrg(org)
  return { org, archive }
}

const twice = (act: () => Promise<Answer>) => Promise.all([act(), act()])
const MEANWHILE = expect.stringContaining('Another call went on with this restore')

/** One is done, and the other is told why not, or finds it done. */
function expectOneDone(answers: Answer[]): void {
  expect(answers.map(({ status }) => status)).toContain(200)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', detail: MEANWHILE } })
  }
}

async function sendAllTwice(id: string, archive: Archive): Promise<void> {
  for (const [at, part] of partsOf(archive).entries()) expectOneDone(await twice(() => sendPart(id, at, part)))
}

describe('N63 calls at once', () => {
  it('are made once, and the other is told so', async () => {
    const { org, archive } = await gone()
    const { body } = await begin(archive)
    await sendAllTwice(body.id, archive)
    for (let turn = 0; turn < 3; turn++) {
      expectOneDone(await twice(() => operator('POST', `/restores/${body.id}/complete`, {})))
    }
    expect((await operator('GET', `/restores/${body.id}`)).body.state).toBe('complete')
    expect((await org.get('/items')).body.results).toHaveLength(1)
  })

  it('put a content of several pieces together once', async () => {
    const { org, archive } = await gone('x'.repeat(UPLOAD_PART_BYTES + 1))
    const { body } = await begin(archive)
    let number = 0
    for (const { query, body: bytes } of partsOf(archive)) {
      const isContent = typeof bytes !== 'string'
      const pieces = isContent ? [bytes.slice(0, UPLOAD_PART_BYTES), bytes.slice(UPLOAD_PART_BYTES)] : [bytes]
      for (const [at, piece] of pieces.entries()) {
        const asked = isContent ? query.replace('piece=1&isLast=true', `piece=${at + 1}&isLast=${at === 1}`) : ''
        const send = () => sendPart(body.id, number, { query: asked, body: piece })
        expectOneDone(at === 1 ? await twice(send) : [await send()])
        number++
      }
    }
    expect((await complete(body.id)).body.state).toBe('complete')
    const [file] = (await org.get('/files')).body.results ?? []
    expect(String((await org.get(`/files/${file?.id}/content`)).body)).toHaveLength(UPLOAD_PART_BYTES + 1)
  })

  it('leave one line of the audit trail, in the commit that lets the organization in', async () => {
    const { org, archive } = await gone()
    const { body } = await begin(archive)
    for (const [at, part] of partsOf(archive).entries()) await sendPart(body.id, at, part)
    await operator('POST', `/restores/${body.id}/complete`, {})
    const { batch } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (statements.length === 1 && /^insert into .?audit/i.test(statements[0]?.sql ?? '')) throw new Error('away')
      return batch.call(this, statements)
    })
    const { status } = await operator('POST', `/restores/${body.id}/complete`, {})
    spy.mockRestore()
    await complete(body.id)
    const { results = [] } = (await operator('GET', `/orgs/${org.slug}/audit`)).body
    const lines = results.filter(({ action }) => action === 'organization_restored')
    expect([status, lines]).toMatchObject([200, [{ detail: { slug: org.slug, restoreId: body.id } }]])
  })

  it('tell of a slug that another organization has taken, and of no other', async () => {
    const { archive } = await gone()
    const { slug } = await newOrg()
    const { body } = await begin(archive)
    for (const [at, part] of partsOf(archive).entries()) await sendPart(body.id, at, part)
    expect(await complete(body.id, { slug })).toMatchObject({
      status: 409,
      body: { code: 'duplicate', errors: [{ path: '/slug' }] },
    })
    expect((await complete(body.id, { slug: `${slug}-again` })).body.state).toBe('complete')
    expect((await restore(archive)).status).toBe(409)
  })
})

describe('N63 a restore that is gone on with', () => {
  it('takes over what is said anew, and keeps what is not', async () => {
    const { org, archive } = await gone()
    const [first] = partsOf(archive)
    const { body } = await begin(archive)
    if (first) await sendPart(body.id, 0, first)
    const slug = `${org.slug}-again`
    expect(await begin(archive, { slug, suspended: true })).toMatchObject({ status: 201, body: { id: body.id, slug } })
    expect(await begin(archive)).toMatchObject({ status: 201, body: { id: body.id, slug, nextPart: 1 } })
    expect(await restore(archive)).toMatchObject({ status: 200, body: { id: body.id, slug } })
    expect((await operator('GET', `/orgs/${slug}`)).body).toMatchObject({ suspendedOn: expect.any(String) })
  })

  it('is not suspended where that is taken back, and does not get the slug of another', async () => {
    const { org, archive } = await gone()
    const { slug } = await newOrg()
    const { body } = await begin(archive, { suspended: true })
    expect(await begin(archive, { slug })).toMatchObject({ status: 409, body: { errors: [{ path: '/slug' }] } })
    expect(await restore(archive, { suspended: false })).toMatchObject({ status: 200, body: { id: body.id } })
    expect((await org.get('/items')).status).toBe(200)
  })

  it('says what differs where it cannot be gone on with', async () => {
    const { archive } = await gone()
    await begin(archive)
    expect(await begin(archive, { positions: 'shift' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('with positions=keep') },
    })
    expect(await begin(archive, { digest: 'another' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('from another archive') },
    })
  })

  it('loses nothing that is said while a part is on its way', async () => {
    const { archive } = await gone()
    const { body } = await begin(archive)
    const row = await findRestore(env, body.id)
    if (!row) throw new Error('no restore')
    await begin(archive, { suspended: true })
    const late = step(env, row, { nextPart: 1, notes: row.notes, touchedOn: Date.now() }, [])
    await expect(late).rejects.toThrow(OUT_OF_TURN)
  })
})
