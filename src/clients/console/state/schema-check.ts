// Whether a value fits a JSON Schema, in words for people (N53): the keywords that the service's schemas of types use. What it lets
// through, the service takes; a keyword that it does not know is left to the service. Pure.

export type Schema = Readonly<Record<string, unknown>>

type Check = (said: unknown, value: unknown, schema: Schema) => string | undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const schemasIn = (said: unknown): Schema[] => (Array.isArray(said) ? said.filter(isObject) : [])
const fits = (schema: Schema, value: unknown) => schemaFault(schema, value) === undefined
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const lengthOf = (text: string) => [...text].length

const TYPES: Record<string, [words: string, is: (value: unknown) => boolean]> = {
  string: ['Write a text.', value => typeof value === 'string'],
  number: ['Write a number.', value => typeof value === 'number'],
  integer: ['Write a whole number.', value => Number.isInteger(value)],
  boolean: ['Write yes or no.', value => typeof value === 'boolean'],
  array: ['Write a list.', value => Array.isArray(value)],
  object: ['Write an object in JSON.', isObject],
  null: ['Leave it empty.', value => value === null],
}

const NEEDED = 'This is needed.'

const type: Check = (said, value) => {
  const names = (Array.isArray(said) ? said : [said]).map(String)
  if (names.some(name => TYPES[name]?.[1](value) ?? true)) return undefined
  return value === null ? NEEDED : TYPES[names[0] ?? '']?.[0]
}

const bound =
  (words: string, isWithin: (size: number, said: number) => boolean, sizeOf: (value: unknown) => number | undefined) =>
  (said: unknown, value: unknown) => {
    const size = sizeOf(value)
    return size === undefined || isWithin(size, Number(said)) ? undefined : words.replace('#', String(said))
  }

const least = (size: number, said: number) => size >= said
const most = (size: number, said: number) => size <= said
const ofText = (value: unknown) => (typeof value === 'string' ? lengthOf(value) : undefined)
const ofNumber = (value: unknown) => (typeof value === 'number' ? value : undefined)
const ofList = (value: unknown) => (Array.isArray(value) ? value.length : undefined)
const ofObject = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined)

const patterns = new Map<string, RegExp>()

function patternOf(text: string): RegExp {
  const known = patterns.get(text)
  if (known) return known
  const made = new RegExp(text, 'u')
  patterns.set(text, made)
  return made
}

const pattern: Check = (said, value, { description, format }) => {
  if (typeof value !== 'string' || patternOf(String(said)).test(value)) return undefined
  if (format === 'date') return 'Write a day that exists, as YYYY-MM-DD.'
  return typeof description === 'string'
    ? `Not in this form: ${description}`
    : 'This is not in the form that is wanted.'
}

const properties: Check = (said, value) => {
  if (!isObject(said) || !isObject(value)) return undefined
  for (const [name, schema] of Object.entries(said)) {
    if (!Object.hasOwn(value, name) || !isObject(schema)) continue
    const fault = schemaFault(schema, value[name])
    if (fault) return `${name}: ${fault}`
  }
  return undefined
}

const required: Check = (said, value) => {
  if (!isObject(value)) return undefined
  const missing = (said as string[]).find(name => !Object.hasOwn(value, name))
  return missing === undefined ? undefined : `${missing}: ${NEEDED}`
}

const additionalProperties: Check = (said, value, schema) => {
  if (!isObject(value)) return undefined
  const known = isObject(schema.properties) ? schema.properties : {}
  const others = Object.keys(value).filter(name => !Object.hasOwn(known, name))
  const wrong = others.find(name => said === false || (isObject(said) && !fits(said, value[name])))
  return wrong === undefined ? undefined : `There is no place for ${wrong}.`
}

const CHECKS: Record<string, Check> = {
  type,
  pattern,
  properties,
  required,
  additionalProperties,
  const: (said, value) => (isEqual(said, value) ? undefined : `Only ${JSON.stringify(said)} fits.`),
  enum: (said, value) =>
    (said as unknown[]).some(each => isEqual(each, value)) ? undefined : 'This is none of the options.',
  not: (said, value) => (isObject(said) && fits(said, value) ? 'This cannot be so.' : undefined),
  oneOf: (said, value) =>
    schemasIn(said).filter(each => fits(each, value)).length === 1 ? undefined : 'This is none of the options.',
  anyOf: (said, value, { description }) => {
    const all = schemasIn(said)
    return all.some(each => fits(each, value)) ? undefined : schemaFault({ description, ...all[0] }, value)
  },
  allOf: (said, value) =>
    schemasIn(said)
      .map(each => schemaFault(each, value))
      .find(Boolean),
  minLength: bound('Write at least # characters.', least, ofText),
  maxLength: bound('Write at most # characters.', most, ofText),
  minimum: bound('The least is #.', least, ofNumber),
  maximum: bound('The most is #.', most, ofNumber),
  exclusiveMinimum: bound('More than # is wanted.', (size, said) => size > said, ofNumber),
  exclusiveMaximum: bound('Less than # is wanted.', (size, said) => size < said, ofNumber),
  minItems: bound('Name at least #.', least, ofList),
  maxItems: bound('Name at most #.', most, ofList),
  maxProperties: bound('At most # properties fit.', most, ofObject),
  uniqueItems: (said, value) =>
    said === true && Array.isArray(value) && new Set(value.map(each => JSON.stringify(each))).size < value.length
      ? 'One of them stands there twice.'
      : undefined,
  items: (said, value) =>
    isObject(said) && Array.isArray(value) ? value.map(each => schemaFault(said, each)).find(Boolean) : undefined,
  propertyNames: (said, value) =>
    isObject(said) && isObject(value) && !Object.keys(value).every(name => fits(said, name))
      ? 'A property cannot have this name.'
      : undefined,
}

/** The first fault in words; undefined where the value fits. */
export function schemaFault(schema: Schema, value: unknown): string | undefined {
  for (const [keyword, said] of Object.entries(schema)) {
    const fault = Object.hasOwn(CHECKS, keyword) ? CHECKS[keyword]?.(said, value, schema) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}
