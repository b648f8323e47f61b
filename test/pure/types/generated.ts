// Types as an organization might describe them, and entities that fit them or nearly do.
import fc, { type Arbitrary } from 'fast-check'
import { shapes } from '../../../src/features/entities/shapes.ts'
import { checkAll, createdData, updatePatch } from '../../../src/features/entities/write-body.ts'
import { PROPERTY_TYPES, type PropertyDefinition } from '../../../src/features/types/contract.ts'
import type { Definitions } from '../../../src/features/types/definitions.ts'
import { faultsOf } from '../../../src/features/types/fit.ts'
import { TypeTable } from '../../../src/features/types/table.ts'
import { Fault } from '../../../src/platform/errors.ts'
import { hostileParts } from '../../../src/platform/json-safety.ts'
import type { Kind } from '../../../src/platform/kind.ts'

const OPTIONS = ['slim', 'loose', '', 'SS 27', 'ünïcödé', '😀'].filter(text => text !== '')

const property = (slug: string): Arbitrary<PropertyDefinition> =>
  fc.record({
    slug: fc.constant(slug),
    label: fc.constantFrom(undefined, null, 'A label', '*/ "label"'),
    propertyType: fc.constantFrom(...PROPERTY_TYPES),
    options: fc.oneof(
      fc.constant(null),
      fc.array(
        fc.oneof(
          fc.constantFrom(...OPTIONS),
          fc.record({ value: fc.constantFrom(...OPTIONS), label: fc.constantFrom('Label', 'slim') }),
        ),
        { maxLength: 4 },
      ),
    ),
    archived: fc.constantFrom(undefined, null, false, true),
    required: fc.constantFrom(undefined, null, false, false, true),
  })

const SLUGS = ['season', 'price', 'a/b~c', 'with space', '100%', 'größe', '#', '$ref', 'toString', 'lang']

const properties: Arbitrary<PropertyDefinition[]> = fc
  .subarray(SLUGS, { minLength: 1, maxLength: 6 })
  .chain(slugs => fc.tuple(...slugs.map(property)))

export interface Example {
  kind: Kind
  typePath: string
  table: TypeTable
}

/** Three levels, each with properties of its own, some of which are defined anew below. */
export function examples(kinds: readonly Kind[]): Arbitrary<Example> {
  return fc.tuple(fc.constantFrom(...kinds), properties, properties, properties, fc.nat(3)).map(([kind, ...rest]) => {
    const [first, second, third, depth] = rest
    const paths = [kind.name, `${kind.name}:shoe`, `${kind.name}:shoe:boot`, `${kind.name}:shoe:boot:high`]
    const rows = [first, second, third].map((defined, at) => ({
      typePath: paths[at] ?? '',
      label: at === 1 ? 'Shoe' : null,
      properties: defined,
    }))
    return { kind, typePath: paths[depth] ?? kind.name, table: new TypeTable(7, rows) }
  })
}

const TEXTS = [
  '',
  'slim',
  'text',
  'a\u0000b',
  'line\nbreak',
  '😀',
  'x'.repeat(512),
  'x'.repeat(513),
  '2027-02-29',
  '#00ff7f',
]
const ADDRESSES = [
  'https://example.com',
  'HTTP://user:pass@example.com:8080/a b?c#d',
  'https://[::1]:443/',
  'https://exämple.com/ü',
  'http://',
  'http:///path',
  'https://exa mple.com',
  'https://example.com:65536/',
  'https://example.com:99x',
  'javascript:alert(1)',
  'ftp://example.com',
  'example.com',
]
/** Made once: they take longer than all the rest. */
const WEB_URLS = fc.sample(fc.webUrl(), { numRuns: 300, seed: 1 })
const VALUES = fc.sample(fc.jsonValue({ maxDepth: 2 }), { numRuns: 300, seed: 2 })
const day = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
  .map(parts => parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0')).join('-'))
const leapDay = fc.integer({ min: 0, max: 9999 }).map(year => `${String(year).padStart(4, '0')}-02-29`)

export const strange: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, null, true, false, 0, -1.5, 256, 255, 1e300, [], {}, ['family'], ['option', 'family']),
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...ADDRESSES),
  day,
  leapDay,
  fc.array(fc.constantFrom<unknown>(...OPTIONS, 'other', '', null, 3), { maxLength: 3 }),
  fc.constantFrom(...WEB_URLS),
  fc.constantFrom(...VALUES),
)

const NAMES = [
  'unheardOf',
  '',
  'x'.repeat(128),
  'x'.repeat(129),
  'quo"te',
  'back\\slash',
  'tab\t',
  'constructor',
  'prototype',
]
const COMMON = ['typePath', 'name', 'federatedId', 'identifier', 'id', 'version', 'createdOn', 'orgId']

function fitting({ propertyType, options }: PropertyDefinition): Arbitrary<unknown> {
  const values = options?.map(option => (typeof option === 'string' ? option : option.value)) ?? OPTIONS
  switch (propertyType) {
    case 'number':
    case 'currency':
    case 'percent':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e12, max: 1e12 }))
    case 'boolean':
      return fc.boolean()
    case 'date':
      return fc.constantFrom('2026-02-28', '2024-02-29', '0000-02-29', '9999-12-31')
    case 'choice':
      return fc.constantFrom(...values, ...(values.length ? [] : ['none']))
    case 'multi_select':
      return fc.subarray([...new Set(values)])
    case 'object_ref_list':
      return fc.subarray(['a', 'b'])
    case 'url':
      return fc.constantFrom(...ADDRESSES.slice(0, 4), ...WEB_URLS)
    case 'json':
      return fc.constantFrom(...VALUES)
    default:
      return fc.constantFrom('text', 'x', '😀')
  }
}

/** What fits, with up to two things put wrong, or only put otherwise. */
export function bodies({ kind, typePath }: Example, definitions: Definitions): Arbitrary<Record<string, unknown>> {
  const own = Object.fromEntries([...definitions.values()].map(each => [each.slug, fitting(each)]))
  const isNeeded = ({ required, archived }: PropertyDefinition) => required && !archived
  const required = [...definitions.values()].filter(isNeeded).map(({ slug }) => slug)
  const known = [...Object.keys(own), ...Object.keys(kind.fields), ...Object.keys(kind.readOnly), ...COMMON]
  const names = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, fc.constantFrom(...NAMES))
  const given = fc.constant({ typePath, ...kind.example, ...(kind.name === typePath ? {} : { typePath }) })
  const base = fc.tuple(given, fc.record(own, { requiredKeys: required }))
  const spoilt = fc.array(fc.tuple(names, fc.oneof(strange, fc.constant(undefined))), { maxLength: 2 })
  return fc.tuple(base, spoilt).map(([[example, defined], changes]) => {
    const body: Record<string, unknown> = { ...example, typePath, ...defined, ...Object.fromEntries(changes) }
    return JSON.parse(JSON.stringify(body)) as Record<string, unknown>
  })
}

/** By the very checks that a request goes through. */
export function isTaken(
  { kind, typePath, table }: Example,
  body: Record<string, unknown>,
  variant: 'create' | 'update',
) {
  if (hostileParts(body).length) return false
  const parsed = shapes(kind)[variant].safeParse(body)
  if (!parsed.success) return false
  const fields = variant === 'create' ? createdData(kind, parsed.data) : updatePatch(kind, parsed.data)
  if ((fields.typePath ?? typePath) !== typePath) return false
  try {
    checkAll(kind, [fields], () => '')
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
  return faultsOf(table.definitionsOf(typePath), fields, variant === 'create').length === 0
}
