// The loader keeps to the rules of the API where a row has several faults, and where types ask for something.
import { describe, expect, it } from 'vitest'
import { newOrg } from '../api.ts'
import { type Load, load } from './loading.ts'

const faults = ({ issues }: Load) =>
  issues.filter(({ severity }) => severity === 'error').map(({ rowNumber, columnName }) => `${rowNumber} ${columnName}`)

describe('a row with several faults', () => {
  it('N65 names each of them, of a color too', async () => {
    const org = await newOrg()
    const csv = 'federatedId,hex,red,green,blue\nc1,#12,256,-1,1\n'
    const failed = await load(org, csv, { loadType: ['COLOR'] })
    expect(failed.status).toBe('failed')
    expect(faults(failed).sort()).toEqual(['2 green', '2 hex', '2 red'])
    const refused = await org.post('/colors', { federatedId: 'c1', hex: '#12', red: 256, green: -1, blue: 1 })
    expect((refused.body.errors as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      '/green',
      '/hex',
      '/red',
    ])
  })
})

describe('a property that is archived and required', () => {
  it('N67 is asked for neither by the loader nor by the API', async () => {
    const org = await newOrg()
    const property = { slug: 'size', propertyType: 'number', required: true }
    await org.make('/types', { typePath: 'item', properties: [{ ...property, archived: true }] })
    expect((await load(org, 'itemFamilyFederatedId\nF1\n')).status).toBe('completed')
    expect((await org.post('/items', {})).status).toBe(201)
    await org.put('/types/item', { properties: [property] })
    expect(faults(await load(org, 'itemFamilyFederatedId\nF2\n'))).toEqual(['2 size'])
    expect((await org.post('/items', {})).status).toBe(400)
  })
})
