// What counts as taken of the time that all share, and by whom (N60).
import { describe, expect, it, vi } from 'vitest'
import * as company from '../../../src/platform/company/company.ts'
import { noteTaken, takesMuch } from '../../../src/platform/company/company.ts'
import { COMPANY_MUCH_MS, COMPANY_SENT_BYTES } from '../../../src/platform/company/limits.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { CARRIED_CHARACTERS } from '../../../src/platform/db/limits.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, newOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { upload } from '../loads/loading.ts'
import { alone, visitOf } from '../visits.ts'

describe('N60 what is taken', () => {
  it('who sends much takes much, also where it is refused', async () => {
    const org = await newOrg()
    expect(takesMuch(org.id)).toBe(false)
    const names = ['x'.repeat(1.2 * COMPANY_MUCH_MS * COMPANY_SENT_BYTES)]
    expect((await org.post('/items/batch', names)).status).toBe(400)
    expect(takesMuch(org.id)).toBe(true)
  })

  it('a configuration counts as sent', async () => {
    const org = await newOrg()
    const text = 'loadType: [ITEM]\n'
    const loaderConfigurationId = await upload(org, text, 'load.yaml')
    const noteSent = vi.spyOn(company, 'noteSent')
    expect((await org.post('/loader-processes', { loaderConfigurationId, fileLocation: 'none' })).status).toBe(400)
    expect(noteSent).toHaveBeenCalledWith(org.id, text.length)
  })

  it('a call to the database in the background waits for others, and that of a caller does not', async () => {
    const orgId = newId()
    const afterOthers = vi.spyOn(company, 'afterOthers')
    const question = { sql: 'SELECT 1', params: [] }
    await databaseFor(env, orgId, null).all(question)
    expect(afterOthers).not.toHaveBeenCalledWith(orgId, expect.anything(), expect.anything())
    await databaseFor(env, orgId).all(question)
    expect(afterOthers).toHaveBeenCalledWith(orgId, expect.anything(), true)
  })

  it('a caller whose answers are large takes much of the database, and waits for others', async () => {
    const orgId = newId()
    const afterOthers = vi.spyOn(company, 'afterOthers')
    const large = 1_000_000
    const rows = Array.from({ length: (1.2 * COMPANY_MUCH_MS * CARRIED_CHARACTERS) / large }, () => large / 2)
    const question = { sql: 'SELECT hex(zeroblob(value)) AS text FROM json_each(?1)', params: [JSON.stringify(rows)] }
    await databaseFor(env, orgId, null).all(question)
    expect(afterOthers).not.toHaveBeenCalledWith(orgId, expect.anything(), expect.anything())
    await databaseFor(env, orgId, null).all({ sql: 'SELECT 1', params: [] })
    expect(afterOthers).toHaveBeenCalledWith(orgId, expect.anything(), false)
  })

  it('what is done in the background does not count as taken by those who call', async () => {
    const orgId = newId()
    const question = { sql: 'SELECT hex(zeroblob(?1)) AS text', params: [500_000] }
    const noteTaken = vi.spyOn(company, 'noteTaken')
    await databaseFor(env, orgId).all(question)
    expect(noteTaken).not.toHaveBeenCalledWith(orgId, expect.anything())
    await databaseFor(env, orgId, null).all(question)
    expect(noteTaken).toHaveBeenCalledWith(orgId, expect.anything())
  })

  it('work in the background reads in portions in company alone', async () => {
    const orgId = newId()
    await alone(orgId)
    const db = databaseFor(env, orgId)
    expect(db.holdsUpOthers).toBe(false)
    visitOf(newId())
    expect(db.holdsUpOthers).toBe(true)
    expect(databaseFor(env, orgId, null).holdsUpOthers).toBe(false)
  })

  it('whoever takes much is known for a moment', async () => {
    const own = newId()
    for (let call = 0; call < 20; call++) noteTaken(own, 1)
    expect(takesMuch(own)).toBe(false)
    noteTaken(own, 150)
    expect(takesMuch(own)).toBe(true)
    await eventually(
      async () => takesMuch(own),
      isMuch => !isMuch,
    )
  })
})
