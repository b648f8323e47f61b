import { describe, expect, it } from 'vitest'
import { type Json, newOrg } from '../api.ts'
import { all, brief, load, one, upload } from './loading.ts'

describe('the other load types (N32)', () => {
  it('COLOR, CUSTOM_ENTITY and SIZE_RANGE_TEMPLATE upsert by federatedId', async () => {
    const org = await newOrg()
    const colors = 'federatedId,name,hex\nc1,Red,#ff0000\nc2,Blue,#00f\n'
    expect((await load(org, colors, { loadType: ['COLOR'] })).results).toEqual({
      color: { created: 2, updated: 0, unchanged: 0, removed: 0 },
    })
    expect(await one(org, '/colors', 'c2')).toMatchObject({ hex: '#0000ff', red: 0, green: 0, blue: 255 })
    expect((await load(org, colors, { loadType: ['COLOR'] })).results).toMatchObject({
      color: { created: 0, unchanged: 2 },
    })

    const vendors = (type: string) => ({
      loadType: ['CUSTOM_ENTITY'],
      federatedMappings: { typePath: `custom-entity:${type}` },
    })
    await load(org, 'name,country\nAcme,DE\n', vendors('vendor'))
    await load(org, 'name,country\nAcme,FR\n', vendors('agent'))
    await load(org, 'name,country\nAcme,IT\n', vendors('vendor'))
    expect((await all(org, '/custom-entities')).map(({ typePath, country }) => [typePath, country])).toEqual([
      ['custom-entity:vendor', 'IT'],
      ['custom-entity:agent', 'FR'],
    ])

    await load(org, 'federatedId,name,sizes\ns1,Alpha,S|M|L\n', { loadType: ['SIZE_RANGE_TEMPLATE'] })
    expect(await one(org, '/size-range-templates', 's1')).toMatchObject({ name: 'Alpha', sizes: ['S', 'M', 'L'] })
  })

  it('copies family properties to options, in whatever order the rows stand', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'fabric', label: 'Fabric', propertyType: 'string', level: 'family' },
      { slug: 'price', label: 'Price', propertyType: 'number', level: 'override' },
    ]
    await org.make('/types', { typePath: 'item', label: 'Item', properties })
    const csv = 'itemFamilyFederatedId,itemOptionFederatedId,Fabric,Price\nF1,O1,wool,\nF1,O2,wool,7\nF1,,wool,5\n'
    expect(brief(await load(org, csv))).toEqual([])
    expect(await one(org, '/items', 'F1')).toMatchObject({ fabric: 'wool', price: 5 })
    expect(await one(org, '/items', 'O1')).toMatchObject({ fabric: 'wool', price: 5 })
    expect(await one(org, '/items', 'O2')).toMatchObject({ fabric: 'wool', price: 7 })
    expect((await load(org, csv)).results).toEqual({ item: { created: 0, updated: 0, unchanged: 3, removed: 0 } })
  })

  it('copies family properties to options that the file does not name, and from stored families to new options', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'fabric', label: 'Fabric', propertyType: 'string', level: 'family' },
      { slug: 'price', label: 'Price', propertyType: 'number', level: 'override' },
    ]
    await org.make('/types', { typePath: 'item', label: 'Item', properties })
    const head = 'itemFamilyFederatedId,itemOptionFederatedId'
    await load(org, `${head},fabric,price\nF1,O1,wool,\nF1,O2,wool,7\n`)
    const done = await load(org, `${head},fabric,price\nF1,,silk,5\n`)
    expect(done.results.item).toEqual({ created: 0, updated: 3, unchanged: 0, removed: 0 })
    expect(await one(org, '/items', 'O1')).toMatchObject({ fabric: 'silk', price: 5 })
    expect(await one(org, '/items', 'O2')).toMatchObject({ fabric: 'silk', price: 7 })
    await load(org, `${head}\nF1,O3\n`)
    expect(await one(org, '/items', 'O3')).toMatchObject({ fabric: 'silk', price: 5 })
  })

  it('reads rows without a type path by the type that their entity has, or their family', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item:shirt',
      label: 'Shirt',
      properties: [{ slug: 'price', label: 'Price', propertyType: 'number' }],
    })
    const head = 'itemFamilyFederatedId,itemOptionFederatedId'
    await load(org, `${head},typePath,Price\nF1,,item:shirt,5\nF2,,item,5\n`)
    const done = await load(org, `${head},Price\nF1,,6\nF1,O1,7\nF2,,8\n`)
    expect(done).toMatchObject({ status: 'completed', issues: [] })
    expect(await one(org, '/items', 'F1')).toMatchObject({ typePath: 'item:shirt', price: 6 })
    expect(await one(org, '/items', 'O1')).toMatchObject({ typePath: 'item:shirt', price: 7 })
    expect(await one(org, '/items', 'F2')).toMatchObject({ typePath: 'item', Price: '8' })
    expect(brief(await load(org, `${head},Price\nF1,,cheap\nF2,,cheap\n`))).toEqual(['error 2 Price INVALID_DATA'])
  })

  it('takes its configuration from a YAML file, and inline properties win', async () => {
    const org = await newOrg()
    const yaml = `
loadType: [ITEM]
federatedMappings:
  itemFamilyFederatedId: Style
  name: Style Name
conditionalColumns:
  - toProperty: typePath
    default: item:shirt
  - toProperty: band
    conditions:
      - conditional: "{Price} > 100"
        value: "high ({itemFamilyFederatedId})"
    default: low
propertiesToRemove: [Style, Style Name]
`
    const loaderConfigurationId = await upload(org, yaml, 'load.yaml')
    const done = await load(org, 'Style,Style Name,Price\nS1,Shirt,150\nS2,Cap,20\n', {
      loaderConfigurationId,
      loadType: undefined,
      name: 'Mine',
    })
    expect(done).toMatchObject({ status: 'completed', name: 'Mine', loaderConfigurationId, loadType: ['ITEM'] })
    expect(await one(org, '/items', 'S1')).toMatchObject({ name: 'Shirt', typePath: 'item:shirt', band: 'high (S1)' })
    expect(await one(org, '/items', 'S2')).toMatchObject({ band: 'low', Price: '20' })
  })

  it('takes no configuration file in another encoding: its texts would be damaged', async () => {
    const org = await newOrg()
    const latin1 = Uint8Array.from('loadType: [ITEM]\nname: Gr\u00fc\u00dfe\n', letter => letter.charCodeAt(0))
    const loaderConfigurationId = await upload(org, latin1, 'load.yaml')
    const fileLocation = await upload(org, 'itemFamilyFederatedId\nS1\n')
    const refused = await org.post<{ errors: Json[] }>('/loader-processes', { loaderConfigurationId, fileLocation })
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: '/loaderConfigurationId', message: 'The file is not UTF-8. Save it as UTF-8.' }],
    ])
  })

  it('requires what a type requires of new entities, whether the file has the column or not', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item',
      label: 'Item',
      properties: [
        { slug: 'fabric', label: 'Fabric', propertyType: 'string', required: true },
        { slug: 'x', label: 'X', propertyType: 'string' },
      ],
    })
    expect(brief(await load(org, 'itemFamilyFederatedId,x\nF1,1\n'))).toEqual(['error 2 fabric MISSING_DATA'])
    expect(brief(await load(org, 'itemFamilyFederatedId,fabric\nF1,\n'))).toEqual(['error 2 fabric MISSING_DATA'])
    await load(org, 'itemFamilyFederatedId,fabric\nF1,wool\n')
    expect((await load(org, 'itemFamilyFederatedId,x\nF1,1\n')).status).toBe('completed')
  })
})
