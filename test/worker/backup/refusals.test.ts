// Archives that are not what they were, restores that break off, and those that others stand in the way of (N63).
import { describe, expect, it } from 'vitest'
import { sweepRestores } from '../../../src/features/backup/restore.ts'
import { sweepDeletedOrganizations, sweepOrganization } from '../../../src/features/operator/sweep.ts'
import { newId } from '../../../src/platform/ids.ts'
import { call, env, type Json, newOrg, operator } from '../api.ts'
import { begin, complete, deleteOrg, forged, linesOf, partsOf, restore, sendPart, takeArchive } from './archive.ts'

/** An organization with a file, some items and a color, taken out and gone. */
async function gone() {
  const org = await newOrg()
  await org.post('/items/batch', [{ name: 'a', federatedId: 'a' }, { name: 'b' }])
  await org.make('/colors', { name: 'Navy' })
  await org.call('POST', '/files?fileName=a.txt', { body: 'content', headers: { 'Content-Type': 'text/plain' } })
  const archive = await takeArchive(org.slug)
  await deleteOrg(org)
  return { org, archive }
}

const isNowhere = async (slug: string) => expect((await operator('GET', `/orgs/${slug}`)).status).toBe(404)

describe('N63 an archive', () => {
  it('that was altered, reordered or cut is refused, and nothing is seen of it', async () => {
    const { org, archive } = await gone()
    const { pages } = archive
    const with1 = (page: string) => ({ ...archive, pages: [pages[0] ?? '', page, ...pages.slice(2)] })
    const altered = with1((pages[1] ?? '').replace('Navy', 'navy'))
    expect(await restore(altered)).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('altered') }] },
    })
    expect(await restore(with1(pages[2] ?? ''))).toMatchObject({ status: 400 })
    expect(await restore(with1((pages[1] ?? '').slice(0, -9)))).toMatchObject({ status: 400 })
    const begun = await begin(archive)
    expect(await complete(begun.body.id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('not whole') },
    })
    await isNowhere(org.slug)
    expect(await restore(archive)).toMatchObject({ status: 200 })
    expect((await org.get('/items')).body.results).toHaveLength(2)
  })

  it('that tells what there is not is refused line by line', async () => {
    const { org, archive } = await gone()
    const refusal = async (change: (line: Json) => Json) => {
      const bad = await forged(archive, change)
      const answer = await restore(bad)
      await operator('DELETE', `/restores/${(await begin(bad)).body.id}`)
      await sweepOrganization(env, org.id)
      return answer
    }
    const ofColor = (more: Json) => (line: Json) => (line.kind === 'color' ? { ...line, ...more } : line)
    for (const more of [
      { table: 'secrets' },
      { kind: 'spaceship' },
      { id: '../x' },
      { data: '[]' },
      { strange: 1 },
      { version: 1.5 },
    ]) {
      expect([more, await refusal(ofColor(more))]).toMatchObject([
        more,
        { status: 400, body: { code: 'invalid_input' } },
      ])
    }
    expect(await refusal(ofColor({ createdById: null }))).toMatchObject({ status: 400 })
    expect(await refusal(line => (line.table === 'clock' ? { ...line, entities: 7 } : line))).toMatchObject({
      status: 409,
      body: { detail: 'There are 3 entities, and should be 7: the archive is damaged.' },
    })
    await isNowhere(org.slug)
  })

  it('reaches nothing of another organization', async () => {
    const { archive } = await gone()
    const other = await newOrg()
    const theirs = await other.make('/colors', { name: 'theirs' })
    const stolen = await forged(archive, line => (line.kind === 'color' ? { ...line, id: theirs.id } : line))
    expect(await restore(stolen)).toMatchObject({ status: 409, body: { code: 'duplicate' } })
    expect((await other.get(`/colors/${theirs.id}`)).body.name).toBe('theirs')
  })

  it('whose files lack their content, or have another, does not come to its end', async () => {
    const { org, archive } = await gone()
    const none = { ...archive, contents: new Map() }
    expect(await restore(none)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('contents of files') },
    })
    await isNowhere(org.slug)
    const begun = await begin(archive)
    await operator('DELETE', `/restores/${begun.body.id}`)
    const other = new Map(
      [...archive.contents].map(([at, files]) => [
        at,
        files.map(file => ({ ...file, bytes: new Uint8Array(new TextEncoder().encode('kontent')).buffer })),
      ]),
    )
    expect(await restore({ ...archive, contents: other })).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('checksum') }] },
    })
  })
})

describe('N63 a restore', () => {
  it('goes on where it stopped, takes each part once, and no other archive meanwhile', async () => {
    const { org, archive } = await gone()
    const parts = partsOf(archive)
    const { body } = await begin(archive)
    const [first, second] = parts
    if (!first || !second) throw new Error('no parts')
    expect(await sendPart(body.id, 1, second)).toMatchObject({ status: 409, body: { nextPart: 0 } })
    expect(await sendPart(body.id, 0, first)).toMatchObject({ status: 200, body: { nextPart: 1 } })
    expect(await sendPart(body.id, 0, first)).toMatchObject({ status: 200, body: { nextPart: 1 } })
    const both = await Promise.all([sendPart(body.id, 1, second), sendPart(body.id, 1, second)])
    expect(both.map(({ status }) => status).filter(status => status !== 409)).toContain(200)
    expect((await call('GET', '/api/items', { headers: org.headers })).status).toBe(401)
    expect((await begin(archive)).body).toMatchObject({ id: body.id, nextPart: 2 })
    const last = archive.pages.at(-1) ?? ''
    const other = last.replace(/"digest":"(.)/, (_, first) => `"digest":"${first === 'A' ? 'B' : 'A'}`)
    expect(await begin({ ...archive, pages: [...archive.pages.slice(0, -1), other] })).toMatchObject({
      status: 409,
      body: { restoreId: body.id },
    })
    expect(await restore(archive)).toMatchObject({ status: 200, body: { id: body.id, state: 'complete' } })
    expect(await sendPart(body.id, 0, first)).toMatchObject({ status: 409 })
    expect((await operator('DELETE', `/restores/${body.id}`)).status).toBe(409)
    expect((await complete(body.id)).body.state).toBe('complete')
    expect((await org.get('/items')).body.results).toHaveLength(2)
  })

  it('that is given up, or forgotten, leaves nothing; a late sweep of the deletion touches nothing', async () => {
    const { org, archive } = await gone()
    const { body } = await begin(archive)
    for (const [at, part] of partsOf(archive).entries()) await sendPart(body.id, at, part)
    const count = async () =>
      (await env.DB.prepare('SELECT count(*) AS n FROM entities WHERE org_id = ?').bind(org.id).first<{ n: number }>())
        ?.n
    await sweepOrganization(env, org.id)
    await sweepDeletedOrganizations(env, Date.now())
    await sweepRestores(env, Date.now() + 6 * 24 * 3600 * 1000)
    expect(await count()).toBe(4)
    expect((await operator('GET', `/restores/${body.id}`)).status).toBe(200)
    await sweepRestores(env, Date.now() + 8 * 24 * 3600 * 1000)
    expect((await operator('GET', `/restores/${body.id}`)).status).toBe(404)
    await sweepDeletedOrganizations(env, Date.now())
    expect(await count()).toBe(0)
    expect((await env.FILES.list({ prefix: org.id })).objects).toEqual([])
    expect(await restore(archive)).toMatchObject({ status: 200 })
  })

  it('that nobody completed to its end is swept as well', async () => {
    const { archive } = await gone()
    const { body } = await begin(archive)
    for (const [at, part] of partsOf(archive).entries()) await sendPart(body.id, at, part)
    expect((await operator('POST', `/restores/${body.id}/complete`, {})).body.state).toBe('completing')
    await sweepRestores(env, Date.now() + 8 * 24 * 3600 * 1000)
    expect((await operator('GET', `/restores/${body.id}`)).status).toBe(404)
    expect(await restore(archive)).toMatchObject({ status: 200 })
  })

  it('finds other places where its own are taken, and tells pollers to begin anew', async () => {
    const org = await newOrg()
    await org.post('/items/batch', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const { syncKey, ...before } = (await org.get('/change-history', { after: '' })).body
    const archive = await takeArchive(org.slug)
    const seqs = archive.pages
      .flatMap(linesOf)
      .filter(({ table }) => table === 'changes')
      .map(({ seq }) => Number(seq))
    await deleteOrg(org)
    // As in the database of another deployment.
    await env.DB.prepare(`INSERT INTO changes (seq, id, org_id, entity_type, entity_id, change_type, created_on, created_by_id, created_by_type, version, detail)
      VALUES (?, ?, 'another', 'item', 'x', 'create', 1, 'x', 'app', 1, '{}')`)
      .bind(seqs[1], newId())
      .run()
    expect(await restore(archive)).toMatchObject({ status: 409, body: { positions: 'shift' } })
    expect(await begin(archive, { positions: 'shift' })).toMatchObject({ status: 409 })
    await operator('DELETE', `/restores/${(await begin(archive)).body.id}`)
    expect(await restore(archive, { positions: 'shift' })).toMatchObject({ status: 200, body: { isShifted: true } })
    const { syncKey: newKey, ...after } = (await org.get('/change-history', { after: '' })).body
    expect(after).toEqual(before)
    expect((await org.get('/change-history', { after: syncKey })).status).toBe(410)
    const made = await org.make('/items', { name: 'd' })
    expect((await org.get('/change-history', { after: newKey })).body.results).toMatchObject([
      { entityReference: `item:${made.id}` },
    ])
  })
})
