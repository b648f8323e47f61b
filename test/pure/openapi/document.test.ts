import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { read, tablesOf } from '../../markdown.ts'
import { type Answer, described, document, type Json, type Media, operations, resolved, text } from './api-document.ts'

const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1] ?? '')

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(JSON.parse(text) as Json, 'document')

/** The schema at a place of the document, with its references. */
function faultsOf(place: string, value: unknown): unknown {
  const validate = ajv.getSchema(`document#${place}`)
  if (!validate) return `no schema at ${place}`
  return validate(value) ? null : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

const answersOf = (responses: Record<string, Answer | { $ref: string }>) =>
  Object.entries(responses).map(([status, answer]) => ({
    status,
    place: '$ref' in answer ? answer.$ref.slice(1) : undefined,
    answer: ('$ref' in answer ? resolved(answer.$ref) : answer) as Answer,
  }))

describe('the API document', () => {
  it('has no reference that leads nowhere', () => {
    expect(references.length).toBeGreaterThan(500)
    expect([...new Set(references)].filter(reference => resolved(reference) === undefined)).toEqual([])
  })

  it('has every path, and every method of it, on the page of endpoints', () => {
    const rows = tablesOf(read('src/guides/endpoints.md'))[0]?.rows ?? []
    const isOnPage = (method: string, path: string) =>
      rows.some(([methods = '', paths = '']) => methods.includes(method) && paths.includes(`\`${path}\``))
    const missing = described
      .map(({ method, path }) => ({ method: method.toUpperCase(), path }))
      .filter(
        ({ method, path }) => !isOnPage(method, path) && !isOnPage(method, path.replace(/^\/[\w-]+/, '/{entityName}')),
      )
    expect(missing).toEqual([])
  })

  it('has every operation once, under a name of its own, and no path twice in other words', () => {
    expect(described).toHaveLength(operations.length)
    expect(new Set(described.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
    const shapes = Object.keys(document.paths).map(path => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
    expect(Object.keys(document.paths['/types/{typePath}'] ?? {})).toEqual(['get', 'put', 'delete'])
  })

  it('tells of each tag, and names none that it does not tell of', () => {
    const tags = document.tags.map(({ name }) => name)
    expect(new Set(tags).size).toBe(tags.length)
    expect([...new Set(described.flatMap(({ operation }) => operation.tags))].sort()).toEqual([...tags].sort())
    expect(document.tags.filter(({ description }) => !description)).toEqual([])
  })

  it('has the operations of an entity type in the order that people need them', () => {
    const items = described
      .filter(({ operation }) => operation.tags[0] === 'items')
      .sort((a, b) => a.operation['x-order'] - b.operation['x-order'])
    expect(items.map(({ operation }) => operation.operationId)).toEqual([
      'listItems',
      'getItem',
      'createItem',
      'updateItem',
      'deleteItem',
      'exportItems',
      'countItems',
      'restoreItem',
      'createItems',
      'updateItems',
      'deleteItems',
    ])
    expect(Object.keys(document.paths).filter(path => path.startsWith('/items'))).toEqual([
      '/items',
      '/items/{id}',
      '/items/export',
      '/items/count',
      '/items/{id}/restore',
      '/items/batch',
    ])
  })

  it('gives bodies and answers names, and never two shapes one name', () => {
    const schemas = described.flatMap(({ operation }) => [
      ...Object.entries(operation.requestBody?.content ?? {}),
      ...answersOf(operation.responses).flatMap(({ answer }) => Object.entries(answer.content ?? {})),
    ])
    const json = schemas.filter(([type, { schema }]) => /json$/.test(type) && schema.format !== 'binary')
    expect(json.length).toBeGreaterThan(200)
    expect(json.filter(([, { schema }]) => typeof schema.$ref !== 'string')).toEqual([])
  })

  it('leaves problems and files open for more', () => {
    for (const name of ['Problem', 'File', 'Item']) {
      expect([name, document.components.schemas[name]?.additionalProperties]).not.toEqual([name, false])
    }
  })

  it('describes what POST /files takes and what a download gives', () => {
    const post = document.paths['/files']?.post
    expect(Object.keys(post?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
      'application/octet-stream',
    ])
    const download = document.paths['/files/{id}/content']?.get
    expect(Object.keys(download?.responses ?? {})).toEqual(expect.arrayContaining(['200', '206', '304', '416']))
    const callback = document.paths['/external-events/callback']?.post
    expect(Object.keys(callback?.responses ?? {})).toEqual(expect.arrayContaining(['200', '202', '409']))
  })

  it.each([
    ['/items', 'post', ['Idempotency-Key'], '201', ['ETag', 'Location', 'RateLimit-Policy', 'X-Request-Id']],
    ['/items/{id}', 'get', ['If-None-Match'], '200', ['ETag']],
    ['/items/{id}', 'put', ['If-Match'], '200', ['ETag']],
    ['/items/{id}', 'delete', ['If-Match'], '429', ['Retry-After', 'RateLimit']],
    ['/files/{id}/content', 'get', ['If-None-Match', 'Range', 'If-Range'], '206', ['Content-Range', 'ETag']],
    ['/loader-processes', 'post', ['Idempotency-Key'], '202', ['ETag', 'Location']],
    ['/items', 'get', [], '503', ['Retry-After']],
  ])('has the headers of %s %s in both directions', (path, method, sent, status, answered) => {
    const operation = document.paths[path]?.[method]
    const names = operation?.parameters.map(parameter =>
      '$ref' in parameter ? (resolved(parameter.$ref) as { name: string }).name : parameter.name,
    )
    expect(names).toEqual(expect.arrayContaining(sent))
    const answer = answersOf(operation?.responses ?? {}).find(found => found.status === status)?.answer
    expect(Object.keys(answer?.headers ?? {})).toEqual(expect.arrayContaining(answered))
  })
})

describe('the examples', () => {
  const bodies = described.flatMap(({ path, method, operation }) =>
    Object.entries(operation.requestBody?.content ?? {})
      .filter(([, { schema }]) => '$ref' in schema)
      .map(([type, media]): [string, Media, string] => {
        const place = `/paths/${escaped(path)}/${method}/requestBody/content/${escaped(type)}/schema`
        return [operation.operationId, media, place]
      }),
  )

  it.each(bodies)('%s has a body that fits', (id, { example }, place) => {
    expect(example).toBeDefined()
    expect(faultsOf(place, example)).toBeNull()
    const operation = operations.find(candidate => candidate.id === id)
    const read = (operation?.bodyShape ?? operation?.body)?.safeParse(example)
    expect(read?.error?.issues ?? []).toEqual([])
  })

  it.each(
    described.map(({ path, method, operation }) => [operation.operationId, path, method, operation.responses] as const),
  )('%s has answers that fit', (_, path, method, responses) => {
    for (const { status, place, answer } of answersOf(responses)) {
      const at = place ?? `/paths/${escaped(path)}/${method}/responses/${status}`
      for (const [type, { schema, example, examples }] of Object.entries(answer.content ?? {})) {
        if (schema.format === 'binary') continue
        const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
        for (const value of values) {
          expect([status, value]).not.toEqual([status, undefined])
          expect(faultsOf(`${at}/content/${escaped(type)}/schema`, value)).toBeNull()
        }
      }
    }
  })

  it('stand at every part of a path', () => {
    const parts = described.flatMap(({ operation }) => operation.parameters)
    const inPath = parts.filter(part => 'in' in part && part.in === 'path')
    expect(inPath.filter(part => !('example' in part) || !part.example)).toEqual([])
  })
})
