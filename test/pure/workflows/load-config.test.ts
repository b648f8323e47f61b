import { describe, expect, it } from 'vitest'
import { loadConfigFaults } from '../../../src/features/workflows/load-config.ts'

const paths = (config: Record<string, unknown>) => loadConfigFaults(config).map(({ path }) => path)

describe('the configuration of a load task', () => {
  it('N68 is refused where it can never start a load', () => {
    expect(paths({ loadType: ['NOTHING'], fileLocation: 'f' })).toContain('/loadType/0')
    expect(paths({ loadType: ['COLOR'] })).toContain('/fileLocation')
    expect(paths({ loadType: ['COLOR'], fileLocation: 'f', colour: 1 })).toEqual(['/colour'])
    expect(paths({ loadType: ['PROJECT_ITEM'], fileLocation: 'f', workspaceIdentifier: 'w' })).toContain('/loadType')
  })

  it('N68 is taken where it is right', () => {
    expect(paths({ loadType: ['COLOR'], fileLocation: 'f' })).toEqual([])
  })

  it('N68 is not judged by what only the run knows', () => {
    expect(paths({ loadType: ['{event.type}'], fileLocation: '{event.file}' })).toEqual([])
    expect(paths({ loadType: '{event.types}', fileLocation: 'f' })).toEqual([])
    expect(paths({ loadType: ['{event.type}'], fileLocation: 'f', colour: 1 })).toEqual(['/colour'])
  })

  it('N68 may leave to a configuration file what it does not say itself', () => {
    expect(paths({ loaderConfigurationId: 'c', fileLocation: 'f' })).toEqual([])
    expect(paths({ loaderConfigurationId: 'c', colour: 1 })).toEqual(['/colour'])
  })

  it('N68 holds conditional columns to the language of the loader', () => {
    const conditionalColumns = [{ toProperty: 'a', conditions: [{ conditional: '{b} ===', value: 1 }] }]
    expect(paths({ loadType: ['COLOR'], fileLocation: 'f', conditionalColumns }).length).toBeGreaterThan(0)
  })
})
