// The guide on limits against the constants that hold them. // N43
import { describe, expect, it } from 'vitest'
import * as signInLimits from '../../src/features/sign-in/limits.ts'
import * as workflowLimits from '../../src/features/workflows/limits.ts'
import * as databaseLimits from '../../src/platform/db/limits.ts'
import * as expressionLimits from '../../src/platform/expression/limits.ts'
import * as jobLimits from '../../src/platform/jobs/limits.ts'
import * as limits from '../../src/platform/limits.ts'
import * as searchLimits from '../../src/platform/search/limits.ts'
import { limitsIn, limitText } from '../limit-text.ts'
import { read, tablesOf } from '../markdown.ts'

const { KB: _kb, MB: _mb, GB: _gb, ...bounds } = limits
const there = limitsIn(bounds, databaseLimits, expressionLimits, jobLimits, searchLimits, signInLimits, workflowLimits)
const rows = tablesOf(read('src/guides/limits.md')).flatMap(table => table.rows)
const listed = rows.map(([, limit = '', constant = '']) => [constant.replaceAll('`', ''), limit] as const)

describe('N43 the guide on limits', () => {
  it('names every limit once, and nothing else', () => {
    expect(listed.map(([name]) => name).sort()).toEqual([...there.keys()].sort())
  })

  it('gives each the value that it has', () => {
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries([...there].map(([name, value]) => [name, limitText(name, value)])),
    )
  })
})
