// What an entity may hold is held against its row, what is stored of it, and what it has from its family, before anything is written.
import { describe, expect, it } from 'vitest'
import { newOrg } from '../api.ts'
import { all, type Load, load } from './loading.ts'

const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'
const LONG = 'x'.repeat(300_000)

const told = ({ status, failureArea, issues }: Load) => [
  status,
  failureArea,
  ...issues.map(({ rowNumber, columnName, issueType }) => `${rowNumber} ${columnName} ${issueType}`),
]

describe('an entity that would grow too large (N29, N65)', () => {
  it('fails the load before anything is written, and its dry run', async () => {
    const org = await newOrg()
    await load(org, `itemFamilyFederatedId,first\nF1,${LONG}\n`)
    for (const dryRun of [true, false]) {
      const failed = await load(org, `itemFamilyFederatedId,note,second\nF2,n,\nF1,n,${LONG}\n`, { dryRun })
      expect(told(failed)).toEqual(['failed', 'VALIDATING_DATA', '3 second INVALID_DATA'])
      expect(failed.issues[0]?.message).toBe(
        'The row makes an entity of more than 512 KB; its largest value, in second, has 300000 characters.',
      )
    }
    expect(await all(org, '/items')).toHaveLength(1)
    const half = 'x'.repeat(100_000)
    expect((await load(org, `itemFamilyFederatedId,second\nF1,${half}\n`)).status).toBe('completed')
    expect((await load(org, `itemFamilyFederatedId,first,third\nF1,,${LONG}\n`)).status).toBe('completed')
  })

  it('also one of a load that fills a project, and a color', async () => {
    const org = await newOrg()
    const project = await org.make('/projects', {})
    await org.make('/workspaces', { identifier: 'w', projectId: project.id })
    const more = { loadType: ['ITEM', 'PROJECT_ITEM'], workspaceIdentifier: 'w' }
    await load(org, `${HEAD},first\nF1,O1,${LONG}\n`)
    expect(told(await load(org, `${HEAD},second\nF1,O1,${LONG}\n`, more)).at(-1)).toBe('2 second INVALID_DATA')
    const color = { loadType: ['COLOR'] }
    await load(org, `federatedId,first\nC1,${LONG}\n`, color)
    expect(told(await load(org, `federatedId,second\nC1,${LONG}\n`, color)).at(-1)).toBe('2 second INVALID_DATA')
  })

  it('also an option by what it has from its family, in the file or as it is stored', async () => {
    const org = await newOrg()
    const properties = [
      { slug: 'about', propertyType: 'text', level: 'family' },
      { slug: 'care', propertyType: 'text', level: 'override' },
      { slug: 'own', propertyType: 'text' },
    ]
    await org.make('/types', { typePath: 'item', properties })
    const both = `${HEAD},about,own\nF1,O1,${LONG},${LONG}\n`
    expect(told(await load(org, both)).at(-1)).toBe('2 own INVALID_DATA')
    const ownRow = `${HEAD},care,own\nF1,,${LONG},\nF1,O1,,${LONG}\n`
    expect(told(await load(org, ownRow))).toEqual(['failed', 'VALIDATING_DATA', '3 own INVALID_DATA'])
    expect((await load(org, `${HEAD},about\nF1,,${LONG}\n`)).status).toBe('completed')
    expect(told(await load(org, `${HEAD},own\nF1,O1,${LONG}\n`)).at(-1)).toBe('2 own INVALID_DATA')
    expect((await load(org, `${HEAD},own\nF1,O1,short\n`)).status).toBe('completed')
  })
})
