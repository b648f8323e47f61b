// Types of an organization as a TypeScript file (N54). The same types make the same file, whenever and wherever. Pure.

import { CREATE, type Property, type TypeModel, UPDATE } from './type-model.ts'
import { keyText, valueType } from './value-type.ts'

type Variant = 'read' | 'create' | 'update'
const SUFFIX: Record<Variant, string> = { read: '', create: CREATE, update: UPDATE }

const HEAD = `// Made by \`selvedge types generate\` from the types of an organization. Do not edit: make it again.
import type * as client from 'selvedge/client'
`

export function typescriptOf(models: readonly TypeModel[]): string {
  const roots = models.filter(({ parent }) => parent === undefined)
  const parts = [
    HEAD,
    ...models.flatMap(model => variantsOf(model).map(variant => interfaceOf(model, variant))),
    ...roots.flatMap(root => variantsOf(root).map(variant => anyOf(root, models, variant))),
    registration(roots, models),
  ]
  return parts.join('\n')
}

const variantsOf = ({ isReadOnly }: TypeModel): Variant[] => (isReadOnly ? ['read'] : ['read', 'create', 'update'])

function interfaceOf(model: TypeModel, variant: Variant): string {
  const { typePath, label, own } = model
  const sent = own.filter(({ isReadOnly }) => variant === 'read' || !isReadOnly)
  return [
    ...comment([label, `\`${typePath}\`${PURPOSE[variant]}`]),
    `export interface ${model.name}${SUFFIX[variant]} extends ${baseOf(model, variant)} {`,
    `  ${pathLine(model, variant)}`,
    ...sent.flatMap(property => lines(property, variant)).map(line => `  ${line}`),
    '}',
    '',
  ].join('\n')
}

const PURPOSE: Record<Variant, string> = { read: '', create: ', to create', update: ', to update' }

function baseOf({ parent, anew }: TypeModel, variant: Variant): string {
  const base = parent ? parent.name + SUFFIX[variant] : variant === 'read' ? 'client.CommonFields' : 'client.SentFields'
  const left = ['typePath', ...anew].map(name => text(name))
  return `Omit<${base}, ${left.join(' | ')}>`
}

function pathLine({ typePath, parent, hasOwnPath }: TypeModel, variant: Variant): string {
  const path = hasOwnPath ? text(typePath) : 'string'
  if (variant === 'read') return `typePath: ${path}`
  // A create without one makes an entity of the root.
  if (variant === 'create' && hasOwnPath && !parent) return `typePath?: ${path} | null | undefined`
  return variant === 'create' ? `typePath: ${path}` : `typePath?: ${path} | undefined`
}

function lines(property: Property, variant: Variant): string[] {
  const { name, schema, isRequired, label, description, isArchived } = property
  const value = valueType(schema, variant === 'read' ? 'read' : 'sent')
  const types = {
    read: isRequired ? `: ${value}` : `?: ${value}`,
    create: isRequired ? `: ${value}` : `?: ${withNull(value)} | undefined`,
    update: `?: ${isRequired ? value : withNull(value)} | undefined`,
  }
  return [...comment([label, description], isArchived), `${keyText(name)}${types[variant]}`]
}

const withNull = (type: string) => (type === 'unknown' ? type : `${type} | null`)

/** Labels are anybody's text: nothing in one ends the comment. */
function comment(said: readonly (string | undefined)[], isArchived = false): string[] {
  const sentences = said.flatMap(each => each?.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim() || [])
  const all = [
    ...sentences.map(each => (/[.!?…]$/.test(each) ? each : `${each}.`)),
    ...(isArchived ? ['@deprecated'] : []),
  ]
  return all.length ? [`/** ${all.join(' ')} */`] : []
}

const text = (value: string) => JSON.stringify(value)

/** All types that entities of one entity type may have. */
const membersOf = (root: TypeModel, models: readonly TypeModel[]) =>
  models.filter(({ typePath }) => typePath === root.typePath || typePath.startsWith(`${root.typePath}:`))

function anyOf(root: TypeModel, models: readonly TypeModel[], variant: Variant): string {
  const names = membersOf(root, models).map(({ name }) => `  | ${name}${SUFFIX[variant]}`)
  return `export type Any${root.name}${SUFFIX[variant]} =\n${names.join('\n')}\n`
}

/** What entities can be ordered by beside the fields that all have. */
function indexedOf(root: TypeModel, models: readonly TypeModel[]): string {
  const indexed = membersOf(root, models).flatMap(({ own }) => own.filter(({ isIndexed }) => isIndexed))
  const names = [...new Set(indexed.map(({ name }) => text(name)))].sort()
  return names.length ? names.join(' | ') : 'never'
}

/** By name, the entity type that each leads to. */
function relationsOf({ own }: TypeModel): string {
  const entries = own.flatMap(({ relation }) =>
    relation ? [`${keyText(relation.name)}: ${text(relation.target)}${relation.isList ? '[]' : ''}`] : [],
  )
  return entries.length ? `{ ${entries.join('; ')} }` : 'Record<never, never>'
}

function registration(roots: readonly TypeModel[], models: readonly TypeModel[]): string {
  const entries = roots.map(root => {
    const { name, isReadOnly } = root
    const [create, update] = isReadOnly ? ['never', 'never'] : [`Any${name}${CREATE}`, `Any${name}${UPDATE}`]
    const variants = `read: Any${name}; create: ${create}; update: ${update}`
    return `      ${text(root.typePath)}: { ${variants}; indexed: ${indexedOf(root, models)}; relations: ${relationsOf(root)} }`
  })
  return `declare module 'selvedge/client' {\n  interface Registered {\n    entities: {\n${entries.join('\n')}\n    }\n  }\n}\n`
}
