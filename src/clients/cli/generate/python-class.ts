// How a JSON schema becomes a TypedDict of Python: for the types of an organization (N54), and for the models of the Python client.

import { isRecord } from '../input.ts'

export interface PythonField {
  name: string
  type: string
  isRequired: boolean
  /** Goes behind the field, where editors read it. */
  about: string | undefined
}

/** Called for an object inside another; it gives the name of a class for it. */
export type NameNested = (schema: Readonly<Record<string, unknown>>) => string

const KEYWORDS = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/** Types that a module of its own imports. */
export const PYTHON_IMPORTS = [
  'from typing import Any, Literal',
  '',
  'from typing_extensions import NotRequired, TypedDict',
]

const isIdentifier = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name)
/** A name that a class would mangle, or that is no name at all, needs the other notation. */
const fitsClass = ({ name }: PythonField) => isIdentifier(name) && !name.startsWith('__')

/** A class with a base, or the call that makes one where a name of a field is none in Python; `base` adds its fields there. */
export function pythonClass(name: string, about: string | undefined, fields: readonly PythonField[]): string[] {
  const typeOf = ({ type, isRequired }: PythonField) => (isRequired ? type : `NotRequired[${type}]`)
  if (fields.every(fitsClass)) {
    const lines = fields.flatMap(field => [
      `    ${field.name}: ${typeOf(field)}`,
      ...(field.about === undefined ? [] : [`    ${docstring(field.about)}`]),
    ])
    const body = about === undefined ? [] : [`    ${docstring(about)}`, '']
    return ['', '', `class ${name}(TypedDict):`, ...body, ...(lines.length === 0 ? ['    pass'] : lines)]
  }
  return [
    '',
    '',
    ...(about === undefined ? [] : [`# ${oneLine(about)}`]),
    `${name} = TypedDict(`,
    `    ${pythonText(name)},`,
    '    {',
    ...fields.flatMap(field => [
      ...(field.about === undefined ? [] : [`        # ${oneLine(field.about)}`]),
      `        ${pythonText(field.name)}: ${typeOf(field)},`,
    ]),
    '    },',
    ')',
  ]
}

/** What values of the schema are in Python, after `json.loads`. */
export function pythonType(schema: unknown, nested: NameNested): string {
  if (!isRecord(schema)) return 'Any'
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literalOf([schema.const])
  if (Array.isArray(schema.enum)) return literalOf(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices) && choices.length > 0) return unionOf(choices.map(each => pythonType(each, nested)))
  if (Array.isArray(schema.type)) return unionOf(schema.type.map(type => pythonType({ ...schema, type }, nested)))
  switch (schema.type) {
    case 'string':
      return 'str'
    case 'number':
      return 'float'
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `list[${pythonType(schema.items, nested)}]`
    case 'object':
      return isRecord(schema.properties)
        ? nested(schema)
        : `dict[str, ${pythonType(schema.additionalProperties, nested)}]`
    default:
      return 'Any'
  }
}

/** `None` comes last, as people write it; `Any` takes everything. */
function unionOf(types: readonly string[]): string {
  if (types.includes('Any')) return 'Any'
  const others = [...new Set(types)].filter(type => type !== 'None')
  return [...others, ...(types.includes('None') ? ['None'] : [])].join(' | ')
}

/** Only what `Literal` takes; a number with a fraction is none of it. */
function literalOf(values: readonly unknown[]): string {
  const texts = values.map(value => {
    if (value === null) return 'None'
    if (typeof value === 'boolean') return value ? 'True' : 'False'
    return typeof value === 'string' || Number.isSafeInteger(value) ? pythonText(value) : 'Any'
  })
  return texts.length === 0 || texts.includes('Any') ? 'Any' : `Literal[${[...new Set(texts)].join(', ')}]`
}

/** JSON's texts are Python's but for half a surrogate pair, which both write as an escape. */
function pythonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Anybody's text: no line break ends a comment, and nothing ends a docstring or begins an escape. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\s]+/gu, ' ').trim()
}

const docstring = (text: string) => `"""${oneLine(text).replaceAll('\\', '\\\\').replaceAll('"', "'")}"""`
