// Types of an organization as a Python file (N54). They are TypedDicts and no dataclasses: the client converts nothing, an entity
// stays the dictionary that travelled, and an absent property (no key) differs from one that is null (None). Pure.

import { PYTHON_IMPORTS, type PythonField, pythonClass, pythonType } from './python-class.ts'
import { CREATE, type Property, type TypeModel, UPDATE } from './type-model.ts'

type Variant = 'read' | 'create' | 'update'
const SUFFIX: Record<Variant, string> = { read: '', create: CREATE, update: UPDATE }
const PURPOSE: Record<Variant, string> = { read: '', create: ', to create', update: ', to update' }

const field = (name: string, type: string, isRequired = true): PythonField => ({
  name,
  type,
  isRequired,
  about: undefined,
})

const COMMON = [
  field('id', 'str'),
  field('orgId', 'str'),
  field('name', 'str | None'),
  field('federatedId', 'str | None'),
  field('createdOn', 'str'),
  field('updatedOn', 'str'),
  field('createdById', 'str | None'),
  field('updatedById', 'str | None'),
  field('version', 'int'),
]
const SENT = [field('name', 'str | None', false), field('federatedId', 'str | None', false)]

export function pythonOf(models: readonly TypeModel[]): string {
  const classes = models.flatMap(model => variantsOf(model).flatMap(variant => classOf(model, variant)))
  return [
    '# Made by `selvedge types generate` from the types of an organization. Do not edit: make it again.',
    '"""A TypedDict for each type path: give one to the client as ``as_type``."""',
    '',
    ...PYTHON_IMPORTS,
    ...classes,
    '',
  ].join('\n')
}

const variantsOf = ({ isReadOnly }: TypeModel): Variant[] => (isReadOnly ? ['read'] : ['read', 'create', 'update'])

function classOf(model: TypeModel, variant: Variant): string[] {
  const { typePath, label, all } = model
  const common = variant === 'read' ? COMMON : SENT
  const names = new Set([...common.map(({ name }) => name), 'typePath'])
  const own = all
    .filter(({ name, isReadOnly }) => !names.has(name) && (variant === 'read' || !isReadOnly))
    .map(property => fieldOf(property, variant))
  const about = `${label === undefined ? '' : `${label}: `}\`${typePath}\`${PURPOSE[variant]}`
  return pythonClass(`${model.name}${SUFFIX[variant]}`, about, [pathField(model, variant), ...common, ...own])
}

/** A create without one makes an entity of the root. */
function pathField({ typePath, parent, hasOwnPath }: TypeModel, variant: Variant): PythonField {
  const type = hasOwnPath ? pythonType({ const: typePath }, anyObject) : 'str'
  const isRequired = variant === 'read' || (variant === 'create' && !(hasOwnPath && !parent))
  return field('typePath', type, isRequired)
}

function fieldOf(
  { name, schema, isRequired, label, description, isArchived }: Property,
  variant: Variant,
): PythonField {
  const value = pythonType(schema, anyObject)
  const mayBeNone = variant !== 'read' && !isRequired && value !== 'Any' && !value.endsWith('None')
  const said = [label, description, isArchived ? 'Archived.' : undefined].flatMap(each => each ?? [])
  return {
    name,
    type: mayBeNone ? `${value} | None` : value,
    isRequired: isRequired && variant !== 'update',
    about: said.length === 0 ? undefined : said.join('. '),
  }
}

const anyObject = () => 'dict[str, Any]'
