import { describe, expect, it } from 'vitest'
import { hostileParts } from '../../../src/platform/json-safety.ts'
import { FAULTS_MAX, JSON_MAX_DEPTH } from '../../../src/platform/limits.ts'

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('hostile JSON', () => {
  it('passes what an entity may hold', () => {
    expect(hostileParts({ name: 'Größe 👕', list: [1, -0.5, 1e308, null, true], deep: { a: { b: 'c' } } })).toEqual([])
    expect(
      hostileParts({ text: 'tab\tline\nnull\u0000', 'a.b': 1, "it's": 2, toString: 3, hasOwnProperty: 4 }),
    ).toEqual([])
  })

  it('names every place with a name that reaches a prototype, at any depth', () => {
    const value: unknown = JSON.parse('{"__proto__":1,"a":[{"constructor":1}],"b":{"c/d":{"prototype":{}}}}')
    expect(hostileParts(value).map(fault => fault.path)).toEqual([
      '/__proto__',
      '/a/0/constructor',
      '/b/c~1d/prototype',
    ])
    expect({}).not.toHaveProperty('1')
  })

  it('names numbers beyond a double', () => {
    expect(hostileParts(JSON.parse('{"a":1e400,"b":[-1e400]}')).map(fault => fault.path)).toEqual(['/a', '/b/0'])
  })

  it('names text and names with half of a surrogate pair', () => {
    const value: unknown = JSON.parse('{"a":"\\ud83d","b":["x\\udc55"],"\\ud800":1,"whole":"\\ud83d\\udc55"}')
    expect(hostileParts(value).map(fault => fault.path)).toEqual(['/a', '/b/0', '/\ud800'])
  })

  it('ends at its depth without using up the stack', () => {
    expect(hostileParts(nested(JSON_MAX_DEPTH))).toEqual([])
    expect(hostileParts(nested(JSON_MAX_DEPTH + 1))).toHaveLength(1)
    expect(hostileParts(nested(500_000))).toHaveLength(1)
  })

  it('names no more faults than an answer may hold', () => {
    const value: unknown = JSON.parse(`[${Array(5000).fill('{"__proto__":1}').join(',')}]`)
    expect(hostileParts(value)).toHaveLength(FAULTS_MAX)
  })
})
