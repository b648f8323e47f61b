// The loader keeps to the rules of the API where a row has several faults, and where types ask for something.
import { describe, expect, it } from 'vitest'
import { newOrg } from '../api.ts'
import { all, type Load, load, one } from './loading.ts'

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

describe('a row that gives an entity another type path', () => {
  it('N67 answers for what is stored, as an update of the API does', async () => {
    const org = await newOrg()
    const shoe = [
      { slug: 'size', propertyType: 'number' },
      { slug: 'sole', propertyType: 'choice', options: ['flat'], required: true },
      { slug: 'note', propertyType: 'choice' },
    ]
    await org.make('/types', { typePath: 'item:shoe', properties: shoe })
    const item = await org.make('/items', { federatedId: 'F1', size: 'large', note: 'any text' })
    const move = 'itemFamilyFederatedId,typePath\nF1,item:shoe\nF2,item\n'
    const failed = await load(org, move)
    expect(failed.status).toBe('failed')
    expect(faults(failed)).toEqual(['2 typePath', '2 typePath'])
    const messages = failed.issues.map(({ message }) => message)
    expect(messages.filter(message => /under size|under sole/.test(message))).toHaveLength(2)
    expect(messages.join()).toMatch(/under size does not fit: Expected a number/)
    expect((await org.put(`/items/${item.id}`, { typePath: 'item:shoe' })).status).toBe(400)
    expect((await org.get(`/items/${item.id}`)).body).toMatchObject({ typePath: 'item', version: 1 })
    const whole = await load(org, 'itemFamilyFederatedId,typePath,size,sole\nF1,item:shoe,42,flat\n')
    expect(whole.status, JSON.stringify(whole.issues)).toBe('completed')
    expect((await load(org, 'itemFamilyFederatedId,typePath\nF1,item:shoe\n')).status).toBe('completed')
  })

  it('N67 what becomes a reference names an entity', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'maker', propertyType: 'object_reference' },
      { slug: 'parts', propertyType: 'object_ref_list' },
    ]
    await org.make('/types', { typePath: 'item:made', properties })
    const maker = await org.make('/custom-entities', { typePath: 'custom-entity:vendor', federatedId: 'V1' })
    const free = await org.make('/items', { federatedId: 'F1', maker: 'V1', parts: [maker.id, 'V1'] })
    await org.make('/items', { federatedId: 'F2', maker: maker.id, parts: [maker.id] })
    const failed = await load(org, 'itemFamilyFederatedId,typePath\nF1,item:made\nF2,item:made\n')
    expect(faults(failed)).toEqual(['2 typePath', '2 typePath'])
    expect(failed.issues.map(({ message }) => message).join()).toMatch(/under maker.*under parts.*no such entity/s)
    expect((await org.put(`/items/${free.id}`, { typePath: 'item:made' })).status).toBe(400)
    const mended = 'itemFamilyFederatedId,typePath,maker,parts\nF1,item:made,V1,V1\nF2,item:made,V1,V1\n'
    expect((await load(org, mended)).status).toBe('completed')
  })
})

describe.each(['family', 'override'])(
  'a family and its option of two types that disagree on a property of level %s',
  level => {
    const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

    /** What a load leaves is what an update takes. */
    async function loaded(csv: string) {
      const org = await newOrg()
      const property = (propertyType: string) => [{ slug: 'size', propertyType, level }]
      await org.make('/types', { typePath: 'item:text', properties: property('string') })
      await org.make('/types', { typePath: 'item:number', properties: property('number') })
      const made = { federatedId: 'F1', typePath: 'item:text', roles: ['family'], size: 'large' }
      const { id: itemFamilyId } = await org.make('/items', made)
      await org.make('/items', { federatedId: 'O1', typePath: 'item:number', roles: ['option'], itemFamilyId })
      const done = await load(org, csv)
      for (const item of await all(org, '/items')) expect((await org.put(`/items/${item.id}`, item)).status).toBe(200)
      const sizeOf = async (key: string) => (await one(org, '/items', key)).size
      return { done, sizeOf }
    }

    it('N65 what the option’s type does not take is not copied, whether the row names the option or not', async () => {
      for (const csv of [
        `${HEAD},size\nF1,,huge\n`,
        `${HEAD},size,typePath\nF1,,huge,item:text\nF1,O1,,item:number\n`,
      ]) {
        const { done, sizeOf } = await loaded(csv)
        expect(done.status, JSON.stringify(done.issues)).toBe('completed')
        expect([await sizeOf('F1'), await sizeOf('O1')]).toEqual(['huge', undefined])
      }
      const { sizeOf } = await loaded(`${HEAD},typePath\nF1,,item:text\nF1,O2,item:number\nF1,O3,item:text\n`)
      expect([await sizeOf('O2'), await sizeOf('O3')]).toEqual([undefined, 'large'])
    })

    it('N65 what an option’s row says for the family has to fit the family’s type', async () => {
      const column = level === 'family' ? 'size' : 'sizeFamily'
      const { done, sizeOf } = await loaded(`${HEAD},${column}\nF1,O1,5\n`)
      expect(done.status).toBe('failed')
      expect(faults(done)).toEqual(['2 size'])
      expect(done.issues[0]?.message).toBe(
        '"5" is for the family F1 too, whose type is item:text: Expected a text. Give the family a row of its own.',
      )
      expect(await sizeOf('F1')).toBe('large')
    })
  },
)
