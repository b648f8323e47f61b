// A file in which every row names a type path of its own: what is worked out for each of them, and kept (N34, N60).
import { describe, expect, it } from 'vitest'
import { Issues } from '../../../src/features/loads/issues.ts'
import { typeSource } from '../../../src/features/loads/rows/effective-properties.ts'
import { Pipeline } from '../../../src/features/loads/rows/pipeline.ts'
import { targetsOf } from '../../../src/features/loads/targets.ts'
import { LOAD_PLANS_MAX_COLUMNS } from '../../../src/platform/limits.ts'
import { HEAD, load, property } from './load.ts'

const names = (count: number, start: string) => Array.from({ length: count }, (_, at) => `${start}${at}`)

describe('N60 many type paths in one file', () => {
  it('read the options of a property once, whoever has it', () => {
    let reads = 0
    const options = names(200, 'o').map(value => ({
      value,
      get label() {
        reads++
        return value
      },
    }))
    const rows = names(50, 'F').map((key, at) => `${key},,item:t${at},o7`)
    const types = { item: [{ slug: 'shade', propertyType: 'choice' as const, options }] }
    const loaded = load(`${HEAD},typePath,shade\n${rows.join('\n')}\n`, {}, types)
    expect(loaded.issues).toEqual([])
    expect(loaded.drafts.map(({ set }) => set.shade)).toEqual(rows.map(() => 'o7'))
    expect(reads).toBeLessThan(3 * options.length)
  })

  it('share the properties of the type above them', () => {
    const types = typeSource({ item: [property({ slug: 'a' })], 'item:x': [property({ slug: 'b' })] })
    expect(new Set(names(100, 'item:x:').map(types)).size).toBe(1)
    expect(types('item:x:1').map(({ slug }) => slug)).toEqual(['a', 'b'])
    expect(types('item:y').map(({ slug }) => slug)).toEqual(['a'])
    expect(types('color')).toEqual([])
  })

  const wide = (columns: number) => {
    const asked: string[] = []
    const header = { names: ['itemFamilyFederatedId', 'typePath', ...names(columns, 'c')], line: 1 }
    const shape = {
      targets: targetsOf({ loadType: ['ITEM'] }),
      reserved: new Set(['itemFamilyFederatedId', 'typePath']),
      control: new Set<string>(),
      splitOn: undefined,
      readOnly: new Set<string>(),
      types: (typePath: string) => {
        asked.push(typePath)
        return []
      },
    }
    const issues = new Issues()
    const pipeline = new Pipeline(shape, header, {}, [], issues)
    const run = (typePath: string) => pipeline.run(['F', typePath, ...names(columns, 'v')], 2, issues)
    return { pipeline, run, asked }
  }

  it('have plans that are kept only as long as they are not too wide together', () => {
    const { run, asked } = wide(998)
    const kept = LOAD_PLANS_MAX_COLUMNS / 2000
    for (const typePath of names(kept, 'item:t')) run(typePath)
    const planned = asked.length
    run('item:t0')
    expect(asked).toHaveLength(planned)
    run('item:more')
    run('item:t0')
    expect(asked.slice(planned)).toContain('item:t0')
  })

  it('let others have a turn after each plan that is wide', () => {
    const { run, pipeline } = wide(998)
    run('item:t0')
    expect(pipeline.takeTurn()).toBe(true)
    run('item:t0')
    expect(pipeline.takeTurn()).toBe(false)
  })
})
