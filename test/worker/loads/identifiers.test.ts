import { describe, expect, it } from 'vitest'
import { newOrg } from '../api.ts'
import { brief, load } from './loading.ts'

describe('before anything is written (N29)', () => {
  it('an identifier is that of an entity of one type path', async () => {
    const org = await newOrg()
    const entity = { typePath: 'custom-entity:vendor', federatedId: 'V1', identifier: 'I1' }
    await org.make('/custom-entities', entity)
    const again = (typePath: string) =>
      load(org, `federatedId,typePath,identifier\nV1,${typePath},I1\n`, { loadType: ['CUSTOM_ENTITY'] })
    const refused = await again('custom-entity:factory')
    expect(brief(refused)).toEqual(['error 2 identifier VALIDATION_ERROR'])
    expect(refused.issues[0]?.message).toBe('The identifier "I1" is that of V1 of custom-entity:vendor.')
    expect(await again(entity.typePath)).toMatchObject({ status: 'completed', issues: [] })
  })

  it('an identifier is one entity’s', async () => {
    const org = await newOrg()
    await load(org, 'itemFamilyFederatedId,identifier\nF1,one\n')
    expect(brief(await load(org, 'itemFamilyFederatedId,identifier\nF2,one\nF3,two\nF4,two\nF1,one\n'))).toEqual([
      'error 2 identifier VALIDATION_ERROR',
      'error 4 identifier VALIDATION_ERROR',
    ])
  })
})
