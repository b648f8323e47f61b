import JSURL from 'jsurl'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseQueryObject, queryObject } from '../../../src/platform/http/query-object.ts'
import { QUERY_OBJECT_MAX_LENGTH } from '../../../src/platform/limits.ts'
import { relativeCost } from '../relative-cost.ts'

describe('a query parameter that holds an object', () => {
  it('is read as jsurl and as JSON alike', () => {
    const criteria = { entityType: 'item', n: -1.5, any: ['a', 'b'], absent: null, yes: true }
    expect(parseQueryObject(JSON.stringify(criteria))).toEqual(criteria)
    expect(parseQueryObject(JSURL.stringify(criteria))).toEqual(criteria)
  })

  it('N19 may have keys without quotes, but not keys inside its text', () => {
    expect(parseQueryObject('{ hello: "world" }')).toEqual({ hello: 'world' })
    expect(parseQueryObject('{a:1,$b_2 : [2], c:{d:"{e: 1, f: 2}"}}')).toEqual({
      a: 1,
      $b_2: [2],
      c: { d: '{e: 1, f: 2}' },
    })
    expect(parseQueryObject('{a: "say \\"hi\\", b: 1", "c": 2}')).toEqual({ a: 'say "hi", b: 1', c: 2 })
  })

  it.each(['', ' ', 'item', '1', 'true', 'null', '[]', '"text"', '~1', "~'text", '~null', '~(~1)', '~(~)'])(
    'refuses %s, which is no object',
    text => expect(parseQueryObject(text)).toBeUndefined(),
  )

  it.each(['{', '{"a":}', '{"a":1}}', "{'a':1}", '{a:1', '{a b:1}', '{"a":1,}', '{-a:1}', '{a:1e999}', '{a:NaN}'])(
    'refuses %s, which is malformed',
    text => expect(parseQueryObject(text)).toBeUndefined(),
  )

  it('N19 refuses names that reach prototypes instead of dropping them', () => {
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      expect(parseQueryObject(`{"${name}":1}`)).toBeUndefined()
      expect(parseQueryObject(`{${name}:1}`)).toBeUndefined()
      expect(parseQueryObject(`{"a":{"${name}":1}}`)).toBeUndefined()
      expect(parseQueryObject(`~(${name}~1)`)).toBeUndefined()
    }
  })

  it('refuses depth and length beyond their bounds, and brackets inside text do not count as depth', () => {
    expect(parseQueryObject(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`)).toBeDefined()
    expect(parseQueryObject(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)).toBeUndefined()
    expect(parseQueryObject('{"name":"(((((((((([[[[[[[[[[{{{{{{{{{{"}')).toEqual({
      name: '(((((((((([[[[[[[[[[{{{{{{{{{{',
    })
    const text = JSON.stringify({ a: 'x'.repeat(QUERY_OBJECT_MAX_LENGTH) })
    expect(parseQueryObject(text)).toBeUndefined()
  })

  it('takes a time that grows no faster than the text, whatever the text', () => {
    const half = QUERY_OBJECT_MAX_LENGTH / 2 - 8
    for (const text of [`{a:${'"\\'.repeat(half)}`, `{${'a'.repeat(half * 2)}`, `{a${' '.repeat(half * 2)}`]) {
      expect(parseQueryObject(text)).toBeUndefined()
      expect(relativeCost(() => parseQueryObject(text), 10)).toBeLessThan(10)
    }
  })

  it('names each fault by its JSON Pointer, escaped once', () => {
    const shape = z.strictObject({ query: queryObject(z.strictObject({ a: z.number(), b: z.string() })) })
    const { error } = shape.safeParse({ query: '{"a":"x","c/d~e":1}' })
    expect(error?.issues.map(issue => issue.path)).toEqual([
      ['query', 'a'],
      ['query', 'b'],
      ['query', 'c/d~e'],
    ])
  })

  it('N69 refuses integers that would be read as others, each by its place', () => {
    const shape = z.strictObject({ query: queryObject(z.looseObject({})) })
    const { error } = shape.safeParse({ query: '{a: 9007199254740993, "b": [1, {c: -9007199254740993}]}' })
    expect(error?.issues.map(issue => issue.path)).toEqual([
      ['query', 'a'],
      ['query', 'b', '1', 'c'],
    ])
    for (const query of ['{a: 9007199254740992, b: "9007199254740993", c: 0.12345678901234567}', '{a:1}']) {
      expect(shape.safeParse({ query }).success).toBe(true)
    }
    expect(shape.safeParse({ query: '~(a~9007199254740993)' }).success).toBe(false)
  })

  it('names the number that jsurl writes in another way', () => {
    const shape = z.strictObject({ query: queryObject(z.looseObject({})) })
    const messageOf = (query: string) => shape.safeParse({ query }).error?.issues[0]?.message
    expect(messageOf("~(price~1.50~name~'x)")).toContain('"1.50" is not how jsurl writes this number: write 1.5')
    expect(messageOf('~(price~(lt~007))')).toContain('"007"')
    for (const other of ['~(price~1.5', "~(name~'1.50", '{a: 1'])
      expect(messageOf(other)).toContain('Expected an object')
  })
})
