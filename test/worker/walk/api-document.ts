// The document as callers get it, with every object closed that is not said to be open: what an answer holds beyond it is a
// fault of the document.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { type Answer, call, type Json } from '../api.ts'

export interface Schema extends Json {
  $ref?: string
  type?: string | string[]
}

interface Media {
  schema: Schema
  example?: unknown
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
  example?: string
}

export interface Described {
  path: string
  method: string
  operationId: string
  tag: string
  security: Record<string, unknown>[]
  parameters: Parameter[]
  content: [type: string, media: Media][]
  responses: Record<string, { at: string; headers: string[]; content: Record<string, Media> }>
}

type Raw = Json & { $ref?: string }

export class ApiDocument {
  readonly operations: Described[]
  readonly #json: Json
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  static async fetched(): Promise<ApiDocument> {
    return new ApiDocument((await call('GET', '/openapi.json')).body)
  }

  constructor(json: Json) {
    this.#json = json
    formats.default(this.#ajv)
    this.#ajv.addSchema(closed(json) as Json, 'document')
    this.operations = Object.entries(json.paths as Record<string, Record<string, Raw>>).flatMap(([path, item]) =>
      Object.entries(item).map(([method, raw]) => this.#described(path, method, raw)),
    )
  }

  resolve<T = Schema>(part: Raw): T {
    if (!part.$ref) return part as T
    return part.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, name) => (at as Json)[name], this.#json) as T
  }

  #described(path: string, method: string, raw: Raw): Described {
    const responses = Object.entries(raw.responses as Record<string, Raw>).map(([status, answer]) => {
      const at = answer.$ref?.slice(1) ?? `/paths/${escaped(path)}/${method}/responses/${status}`
      const { headers = {}, content = {} } = this.resolve<{ headers?: Json; content?: Record<string, Media> }>(answer)
      return [status, { at, headers: Object.keys(headers), content }] as const
    })
    const body = raw.requestBody as { content: Record<string, Media> } | undefined
    return {
      path,
      method: method.toUpperCase(),
      operationId: String(raw.operationId),
      tag: (raw.tags as string[])[0] ?? '',
      security: raw.security as Described['security'],
      parameters: (raw.parameters as Raw[]).map(parameter => this.resolve<Parameter>(parameter)),
      content: Object.entries(body?.content ?? {}),
      responses: Object.fromEntries(responses),
    }
  }

  /** Throws unless the document says that this may come. */
  expectDescribed(operation: Described, { status, headers, body }: Answer<unknown>): void {
    const told = { operation: operation.operationId, status, body }
    expect(told.status, JSON.stringify(told)).toBeLessThan(500)
    const answer = operation.responses[status]
    if (!answer) expect.fail(`${operation.operationId} does not tell of ${status}: ${JSON.stringify(body)}`)
    for (const name of answer.headers) {
      if (!CONDITIONAL.has(name)) expect([told, name, headers.has(name)]).toEqual([told, name, true])
    }
    const types = Object.keys(answer.content)
    const type = headers.get('Content-Type')?.split(';')[0] ?? ''
    if (types.length === 0) expect([told, body]).toEqual([told, ''])
    else if (types.some(candidate => /[/+]json$/.test(candidate))) {
      expect(types).toContain(type)
      if (/[/+]json$/.test(type)) this.#expectFitting(`${answer.at}/content/${escaped(type)}/schema`, told)
    }
  }

  #expectFitting(place: string, told: { body: unknown }): void {
    const validate = this.#ajv.getSchema(`document#${place}`)
    if (!validate) expect.fail(`no schema at ${place}`)
    validate(told.body)
    const faults = validate.errors?.map(({ instancePath, message, params }) => [instancePath, message, params])
    expect([told, faults ?? []]).toEqual([told, []])
  }
}

/** Not on every answer: some callers have no limit, some answers need no database. */
const CONDITIONAL = new Set(['x-d1-bookmark', 'RateLimit-Policy', 'RateLimit'])

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]))
  const isObject = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner)
  return isObject ? { ...inner, additionalProperties: false } : inner
}
