// A configuration is checked without a load (N81).
import { describe, expect, it } from 'vitest'
import { newOrg, operator } from '../api.ts'
import { upload } from './loading.ts'

const CHECK = '/loader-processes/check'

describe('N81 a check of a loader configuration', () => {
  it('answers 200 for what a load may start with, without a file, and creates no process', async () => {
    const org = await newOrg()
    const { status, body } = await org.post(CHECK, { loadType: ['COLOR'] })
    expect(status).toBe(200)
    expect(body).toEqual({ columns: null, issues: [], errorCount: 0, warningCount: 0 })
    expect((await org.get('/loader-processes')).body.results).toEqual([])
  })

  it('refuses what a start refuses, with every fault', async () => {
    const org = await newOrg()
    const configuration = {
      loadType: ['ASSORTMENT'],
      conditionalColumns: [{ toProperty: 'x', conditions: [{ expression: '1 +', value: 'y' }] }],
    }
    const start = await org.post('/loader-processes', { ...configuration, fileLocation: 'x' })
    const check = await org.post(CHECK, configuration)
    expect([start.status, check.status]).toEqual([400, 400])
    expect(check.body.errors).toEqual(start.body.errors)
    expect((await org.post(CHECK, { ...configuration, loadType: ['COLOR'], fileLocation: 'none' })).status).toBe(400)
    const { status, body } = await org.post(CHECK, { loadType: ['COLOR'], fileLocation: 'none' })
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ path: '/fileLocation' })]])
  })

  it('reads the header of the file, with its issues', async () => {
    const org = await newOrg()
    const good = await upload(org, 'federatedId,name\na,b\n')
    expect((await org.post(CHECK, { loadType: ['COLOR'], fileLocation: good })).body).toMatchObject({
      columns: ['federatedId', 'name'],
      errorCount: 0,
    })
    const twice = await upload(org, 'name,name\na,b\n')
    const { status, body } = await org.post(CHECK, { loadType: ['COLOR'], fileLocation: twice })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      errorCount: 1,
      issues: [{ rowNumber: 1, issueType: 'HEADER_MISMATCH', severity: 'error' }],
    })
    const broken = await upload(org, '"name\n')
    expect((await org.post(CHECK, { loadType: ['COLOR'], fileLocation: broken })).body).toMatchObject({
      columns: null,
      errorCount: 1,
    })
    expect((await org.get('/loader-processes')).body.results).toEqual([])
  })

  it('may be called with a key that only reads', async () => {
    const org = await newOrg()
    const { body } = await operator<{ key: string }>('POST', `/orgs/${org.slug}/api-keys`, {
      name: 'reader',
      scope: 'read',
    })
    const headers = { 'X-Api-Key': body.key, 'X-Api-Org': org.slug }
    expect((await org.call('POST', CHECK, { headers, body: { loadType: ['COLOR'] } })).status).toBe(200)
  })
})
