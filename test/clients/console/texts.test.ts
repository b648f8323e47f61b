// Texts that pass through the console: options, limits, lines to copy, lists that break off. None is lost, none does harm.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesPerDay, lastDays } from '../../../src/clients/console/state/changes-per-day.ts'
import { unitedCriterion } from '../../../src/clients/console/state/criteria-words.ts'
import { bodyOf, formFields } from '../../../src/clients/console/state/form-schema.ts'
import { durationText } from '../../../src/clients/console/state/format.ts'
import { labelOf } from '../../../src/clients/console/state/labels.ts'
import { listWay } from '../../../src/clients/console/state/list-way.ts'
import { membersIn } from '../../../src/clients/console/state/member-lines.ts'
import { optionsOf, optionsText } from '../../../src/clients/console/state/option-text.ts'
import { limitsOf } from '../../../src/clients/console/state/quota-limits.ts'
import { codeText, quoted, shellWord } from '../../../src/clients/console/state/quoted.ts'
import { unitedProperties } from '../../../src/clients/console/state/united-properties.ts'

describe('options as text', () => {
  it('are one in each line, with a label where it is another', () => {
    expect(
      optionsText({ options: ['FW27', { value: 'SS27', label: 'Spring 2027' }, { value: 'a', label: 'a' }] }),
    ).toBe('FW27\nSS27 = Spring 2027\na')
    expect(optionsOf('SS27=Spring, early = 2027\n\n  FW27 ')).toEqual([
      { value: 'SS27', label: 'Spring, early=2027' },
      { value: 'FW27' },
    ])
  })

  it('come back as they were, whatever is in them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '=', ',', '\\', ' ', '\n', '\r', 'n', '\t'), minLength: 1 })
    const option = fc
      .record({ value: text, label: text })
      .map(each => (each.label === each.value ? { value: each.value } : each))
    fc.assert(
      fc.property(fc.array(option, { maxLength: 4 }), options => {
        expect(optionsOf(optionsText({ options }))).toEqual(options)
      }),
    )
  })
})

describe('filters on one property', () => {
  it.each([
    [undefined, { gt: 40 }, { gt: 40 }],
    [{ gt: 40 }, { lt: 90 }, { gt: 40, lt: 90 }],
    [{ gt: 40, lt: 90 }, { lt: 80 }, { gt: 40, lt: 80 }],
    ['red', 'blue', 'blue'],
    ['red', { exists: true }, { eq: 'red', exists: true }],
    [['red', 'blue'], { not: 'red' }, { in: ['red', 'blue'], not: 'red' }],
    [{ exists: true }, null, null],
    ['BETWEEN 1 and 2', { not: 1.5 }, { between: ['1', '2'], not: 1.5 }],
  ])('%j and then %j', (before, next, all) => {
    expect(unitedCriterion(before, next)).toEqual(all)
  })
})

it('a property that two types define offers the options of both, and the first of them is what it is', () => {
  const size = (typePath: string, options: string[], more = {}) => ({
    typePath,
    properties: [{ slug: 'size', propertyType: 'choice' as const, options, ...more }],
  })
  const types = [
    size('item:shoe:boot', ['41', '42']),
    size('item:shirt', ['S', 'M']),
    size('item:hat', ['one'], { archived: true }),
    { typePath: 'item:box', properties: [{ slug: 'size', propertyType: 'number' as const }] },
  ]
  expect(unitedProperties(types)).toEqual([{ slug: 'size', propertyType: 'choice', options: ['S', 'M', '41', '42'] }])
})

it('a limit of which nothing is left is the usual one, never none at all', () => {
  expect(limitsOf({ entities: '', types: ' ', runsPerDay: '0', concurrentLoads: '12' })).toEqual({
    entities: null,
    types: null,
    runsPerDay: 0,
    concurrentLoads: 12,
  })
})

describe('lines to copy', () => {
  const HOSTILE = [`it's.csv`, '$(touch x).csv', 'a b;c', '`id`', '"', '-', 'plain.csv', '\\', '!!', '~', '*', 'end']

  it('a shell reads every text back as it is', () => {
    const words = HOSTILE.flatMap(text => [quoted(text), shellWord(text)])
    const read = execFileSync('sh', ['-c', `printf '%s\\n' ${words.join(' ')}`], { encoding: 'utf8' })
    expect(read.trimEnd().split('\n')).toEqual(HOSTILE.flatMap(text => [text, text]))
    expect(shellWord('name:desc')).toBe('name:desc')
  })

  it('TypeScript reads every text back as it is', () => {
    for (const text of HOSTILE) expect(new Function(`return ${codeText(text)}`)()).toBe(text)
    expect(codeText('styles.csv')).toBe("'styles.csv'")
  })

  it('a list is asked for with whatever somebody filtered by', () => {
    const { command } = listWay('item', 'items', {
      criteria: { name: "it's" },
      order: { orderField: 'a b', order: 'desc' },
      q: '$HOME',
      limit: 5,
    })
    expect(command).toBe(
      `entities list item --criteria '{"name":"it'\\''s"}' --search '$HOME' --order 'a b:desc' --limit 5`,
    )
  })
})

describe('changes per day', () => {
  const days = lastDays(Date.parse('2027-03-02T12:00:00Z'), 4)
  const times = ['2027-03-02T10:00:00Z', '2027-03-02T09:00:00Z', '2027-02-28T23:59:59Z']

  it('are counted where all were read', () => {
    expect(changesPerDay(days, times, true).map(({ day, count }) => [day, count])).toEqual([
      ['2027-02-27', 0],
      ['2027-02-28', 1],
      ['2027-03-01', 0],
      ['2027-03-02', 2],
    ])
  })

  it('are not known before the oldest that was read, where there are others', () => {
    expect(changesPerDay(days, times, false)).toEqual([
      { day: '2027-02-27', count: undefined, isMore: false },
      { day: '2027-02-28', count: 1, isMore: true },
      { day: '2027-03-01', count: 0, isMore: false },
      { day: '2027-03-02', count: 2, isMore: false },
    ])
  })
})

it('a list of members that breaks off gives those that are whole', () => {
  const lines = ['{"itemId":"1","itemFederatedId":"a}b"}', '{"itemId":"2","itemFederatedId":"c}d"}']
  const whole = `[\n${lines.join(',\n')}\n]`
  expect(membersIn(whole).map(({ itemId }) => itemId)).toEqual(['1', '2'])
  // In the middle of a text that holds a brace.
  const cut = whole.slice(0, whole.indexOf('c}d') + 2)
  expect(membersIn(cut)).toEqual([{ itemId: '1', itemFederatedId: 'a}b' }])
  expect(membersIn('')).toEqual([])
})

describe('properties that are named like what every object has', () => {
  it('get a label in words', () => {
    expect(labelOf('toString')).toBe('To string')
  })

  it('are sent only where they were filled in, and asked for where they are needed', () => {
    const text = { type: 'string' }
    const schema = { type: 'object', properties: { toString: text, valueOf: text }, required: ['toString'] }
    const fields = formFields(schema)
    expect(bodyOf(fields, {}, 'item', schema)).toEqual({
      body: { typePath: 'item' },
      wrong: { toString: 'This is needed.' },
    })
    expect(bodyOf(fields, { toString: 'a' }, 'item', schema).body).toEqual({ typePath: 'item', toString: 'a' })
  })
})

it.each([
  [0, '0 ms'],
  [999.4, '999 ms'],
  [999.7, '1.0 s'],
  [9_960, '10 s'],
  [59_700, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [3_599_700, '1 h 0 min'],
  [7_190_000, '2 h 0 min'],
])('%d ms take %s: no minute has 60 seconds, no hour 60 minutes', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text)
})
