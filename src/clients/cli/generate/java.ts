// Types of an organization as records of Java (N54), all in one class. Pure.

import { usage } from '../failure.ts'
import { isRecord } from '../input.ts'
import type { Property, TypeModel } from './type-model.ts'

/** A record's constructor takes no more. */
const MOST_COMPONENTS = 255

const PATH_CONSTANT = 'TYPE_PATH'

const COMMON: [string, string][] = [
  ['id', 'String'],
  ['orgId', 'String'],
  ['typePath', 'String'],
  ['name', 'String'],
  ['federatedId', 'String'],
  ['createdOn', 'Instant'],
  ['updatedOn', 'Instant'],
  ['createdById', 'String'],
  ['updatedById', 'String'],
  ['version', 'Long'],
]

const KEYWORDS = new Set(
  `abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if implements
  import instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this throw throws
  transient true try void volatile while _ clone finalize getClass hashCode notify notifyAll toString wait`.split(
    /\s+/,
  ),
)

export function javaOf(models: readonly TypeModel[], className: string, packageName?: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(className)) {
    throw usage(`${className}.java cannot be the file of a class.`, 'Give --out a name such as ProductTypes.java.')
  }
  return [
    '// Made by `selvedge types generate` from the types of an organization. Do not edit: make it again.',
    ...(packageName === undefined ? [] : [`package ${packageName};`, '']),
    'import com.fasterxml.jackson.annotation.JsonIgnoreProperties;',
    'import com.fasterxml.jackson.annotation.JsonProperty;',
    'import java.time.Instant;',
    'import java.util.List;',
    'import java.util.Map;',
    '',
    '/** A record for each type path. */',
    `public final class ${className} {`,
    '',
    `    private ${className}() {}`,
    ...models.filter(({ name }) => name !== className || clash(className)).flatMap(recordOf),
    '}',
    '',
  ].join('\n')
}

function clash(className: string): never {
  throw usage(`A type is named ${className}, as the class would be.`, 'Give --out another name.')
}

function recordOf(model: TypeModel): string[] {
  const common = new Set(COMMON.map(([name]) => name))
  const taken = new Set([...common, PATH_CONSTANT])
  const fields = model.all.filter(({ name }) => !common.has(name))
  if (COMMON.length + fields.length > MOST_COMPONENTS) {
    throw usage(
      `${model.typePath} has more properties than a record of Java can hold.`,
      `Split the type: ${MOST_COMPONENTS - COMMON.length} is the most.`,
    )
  }
  const parts = [...COMMON.map(([name, type]) => `${type} ${name}`), ...fields.map(field => componentOf(field, taken))]
  return [
    '',
    `    /** ${said(model.label)}{@code ${safe(model.typePath)}} */`,
    '    @JsonIgnoreProperties(ignoreUnknown = true)',
    `    public record ${model.name}(`,
    ...parts.map((part, at) => `            ${part}${at < parts.length - 1 ? ',' : ') {'}`),
    ...(model.hasOwnPath
      ? [`        public static final String ${PATH_CONSTANT} = ${JSON.stringify(model.typePath)};`]
      : []),
    '    }',
  ]
}

const said = (label: string | undefined) => (label === undefined ? '' : `${safe(label)}: `)

/**
 * Labels are anybody's text. What goes, goes first: what it leaves behind must not end the comment, and a backslash could begin
 * an escape that Java reads even there.
 */
const safe = (label: string) =>
  label
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[<>&@{}\p{Cc}\p{Bidi_Control}]/gu, '')
    .replaceAll('\\', '&#92;')
    .replaceAll('*/', '* /')

function componentOf({ name, schema, label, isArchived }: Property, taken: Set<string>): string {
  // Other numbers, such as ², are no part of a name.
  const words = name.split(/[^\p{L}\p{Nd}\p{Nl}_$]+/u).filter(word => word !== '')
  const plain = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  const start = /^[\p{L}_$]/u.test(plain) && !KEYWORDS.has(plain) ? plain : `_${plain}`
  let component = start
  for (let number = 2; taken.has(component) || component === '_'; number++) component = `${start}${number}`
  taken.add(component)
  const type = javaType(schema)
  return [
    ...(label === undefined ? [] : [`/* ${safe(label)} */`]),
    ...(isArchived ? ['@Deprecated'] : []),
    ...(component === name ? [] : [`@JsonProperty(${JSON.stringify(name)})`]),
    `${type} ${component}`,
  ].join(' ')
}

function javaType(schema: unknown): string {
  if (!isRecord(schema)) return 'Object'
  const choices = schema.anyOf ?? schema.oneOf ?? schema.enum
  if (schema.type === undefined && Array.isArray(choices)) {
    const types = new Set(
      choices.filter(each => !isNull(each)).map(each => (isRecord(each) ? javaType(each) : typeOfValue(each))),
    )
    return types.size === 1 ? ([...types][0] ?? 'Object') : 'Object'
  }
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? 'Instant' : 'String'
    case 'number':
      return 'Double'
    case 'integer':
      return 'Long'
    case 'boolean':
      return 'Boolean'
    case 'array':
      return `List<${javaType(schema.items)}>`
    case 'object':
      return 'Map<String, Object>'
    default:
      return 'const' in schema ? typeOfValue(schema.const) : 'Object'
  }
}

const isNull = (schema: unknown) => schema === null || (isRecord(schema) && schema.type === 'null')
const typeOfValue = (value: unknown) => (typeof value === 'string' ? 'String' : 'Object')
