// The calls of an operation: addresses, parameters, headers and bodies, right and wrong.
import fc, { type Arbitrary } from 'fast-check'
import type { ApiDocument, Described, Parameter } from './api-document.ts'
import { fitting, unfitting } from './arbitrary.ts'

export interface Call {
  path: string
  headers: Record<string, string>
  body?: BodyInit
}

/** What there is to be found, by the name of the parameter and the tag of the operation. */
export type Known = (parameter: Parameter, operation: Described) => string[]

const strange = fc.constantFrom(
  '',
  'x',
  '~(',
  '{',
  '{}',
  '[]',
  'null',
  '-1',
  '0',
  '1e9',
  "'",
  '"',
  '%00',
  'ä',
  'x'.repeat(5000),
)

const objects: Record<string, string[]> = {
  criteria: ['{"name":"a"}', '{"version":1,"createdOn":"BETWEEN 2020-01-01 and 2030-01-01"}', '~(typePath~null)'],
  order: ['{"orderField":"createdOn","order":"asc"}', '{"orderField":"name"}'],
}

function query(document: ApiDocument, parameters: Parameter[], isRight: boolean): Arbitrary<[string, string][]> {
  const each = parameters.map(({ name, schema, required }) => {
    const usual = objects[name] ? fc.constantFrom(...objects[name]) : fitting(document, schema).map(String)
    const value = (isRight ? usual : fc.oneof(usual, strange)).map((text): [string, string][] => [[name, text]])
    return required ? value : fc.oneof(fc.constant<[string, string][]>([]), value)
  })
  const unknown = fc.constantFrom<[string, string][]>(
    [],
    ...(isRight ? [] : [[['unheardOf', '1']] as [string, string][]]),
  )
  return fc.tuple(unknown, ...each).map(found => found.flat())
}

const HEADERS: Record<string, string[]> = {
  'Idempotency-Key': ['walk-1', 'walk-2'],
  'If-Match': ['*', '"1"', '"999"', 'garbage'],
  'If-None-Match': ['*', '"1"', 'W/"x"'],
  Range: ['bytes=0-1', 'bytes=5-', 'bytes=-2', 'bytes=99999-', 'lines=1-2'],
  'If-Range': ['"x"'],
}

function headers(parameters: Parameter[]): Arbitrary<Record<string, string>> {
  const each = parameters.map(({ name }) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...(HEADERS[name] ?? ['x'])).map((value): [string, string][] => [[name, value]]),
      },
    ),
  )
  return fc.tuple(...each).map(found => Object.fromEntries(found.flat()))
}

type Sent = Pick<Call, 'body'> & { type?: string }

/** Most often JSON; the example of the document is always among it. */
function bodies(document: ApiDocument, { content }: Described, isRight: boolean): Arbitrary<Sent> {
  if (content.length === 0) return fc.constantFrom<Sent>({}, ...(isRight ? [] : [{ body: 'x' }]))
  const each = content.map(([type, { schema, example }]): Arbitrary<Sent> => {
    if (schema.format === 'binary') return fc.constantFrom('', 'a,b\n1,2\n', '{"a":1}').map(body => ({ type, body }))
    if (type === 'multipart/form-data') return fc.constant(isRight ? { body: form() } : { type, body: '--x' })
    const json = isRight ? fc.oneof(fc.constant(example), fitting(document, schema)) : unfitting(document, schema)
    const broken = fc.constantFrom<Sent>({ type, body: '{' }, { type: 'text/plain', body: '{}' }, { type, body: '' })
    const sent = json.map(value => ({ type, body: JSON.stringify(value) }))
    return isRight ? sent : fc.oneof({ weight: 4, arbitrary: sent }, { weight: 1, arbitrary: broken })
  })
  return fc.oneof(...each)
}

function form(): FormData {
  const made = new FormData()
  made.set('file', new File(['a,b\n'], 'walk.csv', { type: 'text/csv' }))
  return made
}

export function calls(document: ApiDocument, operation: Described, known: Known, isRight: boolean): Arbitrary<Call> {
  const of = (place: Parameter['in']) => operation.parameters.filter(parameter => parameter.in === place)
  const inPath = of('path').map(parameter =>
    fc.constantFrom(
      ...known(parameter, operation),
      ...(isRight ? [] : ['AAAAAAAAAAAAAAAA', '%20', 'x'.repeat(200), '..%2f']),
    ),
  )
  return fc
    .tuple(
      fc.tuple(...inPath),
      query(document, of('query'), isRight),
      headers(of('header')),
      bodies(document, operation, isRight),
    )
    .map(([values, parameters, sent, { body, type }]): Call => {
      const path = of('path').reduce(
        (at, { name }, index) => at.replace(`{${name}}`, values[index] ?? ''),
        operation.path,
      )
      const text = parameters.length ? `?${new URLSearchParams(parameters)}` : ''
      return {
        path: path + text,
        headers: { ...sent, ...(type && { 'Content-Type': type }) },
        ...(body !== undefined && operation.method !== 'GET' && { body }),
      }
    })
}
