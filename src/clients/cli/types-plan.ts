// What a push of types would do (N54). A property that a file no longer has is archived, not removed: entities keep their
// values. Types without a file are left alone. Pure.

import type { TypeProperty } from '../typescript/index.ts'
import { type TypeFile, typeText } from './types-folder.ts'

export interface StoredType extends TypeFile {
  id: string
}

export interface Change {
  typePath: string
  action: 'create' | 'change' | 'left alone'
  /** `+ heel`, `~ price`, `- old (archived)` */
  what: string[]
}

export interface TypesPlan {
  creates: TypeFile[]
  updates: StoredType[]
  changes: Change[]
}

export function planOf(files: readonly TypeFile[], stored: readonly StoredType[]): TypesPlan {
  const known = new Map(stored.map(type => [type.typePath, type]))
  const plan: TypesPlan = { creates: [], updates: [], changes: [] }
  for (const file of files) {
    const before = known.get(file.typePath)
    known.delete(file.typePath)
    if (!before) {
      plan.creates.push(file)
      plan.changes.push({
        typePath: file.typePath,
        action: 'create',
        what: file.properties.map(({ slug }) => `+ ${slug}`),
      })
      continue
    }
    const after = { ...file, id: before.id, properties: [...file.properties, ...archived(before, file)] }
    if (typeText(after) === typeText(before)) continue
    plan.updates.push(after)
    plan.changes.push({ typePath: file.typePath, action: 'change', what: differences(before, after, file) })
  }
  for (const { typePath } of known.values()) plan.changes.push({ typePath, action: 'left alone', what: ['no file'] })
  return plan
}

/** In the organization, and no longer in the file. */
function archived(before: TypeFile, file: TypeFile): TypeProperty[] {
  const kept = new Set(file.properties.map(({ slug }) => slug))
  return before.properties.filter(({ slug }) => !kept.has(slug)).map(property => ({ ...property, archived: true }))
}

function differences(before: TypeFile, after: TypeFile, file: TypeFile): string[] {
  const old = new Map(before.properties.map(property => [property.slug, property]))
  const inFile = new Set(file.properties.map(({ slug }) => slug))
  const told = after.properties.flatMap(property => {
    const { slug } = property
    const was = old.get(slug)
    if (!was) return [`+ ${slug}`]
    if (textOf(was) === textOf(property)) return []
    return property.archived && (!was.archived || !inFile.has(slug)) ? [`- ${slug} (archived)`] : [`~ ${slug}`]
  })
  const label = before.label === after.label ? [] : [`label: ${after.label ?? 'none'}`]
  return told.length + label.length > 0 ? [...label, ...told] : ['order of properties']
}

const textOf = (property: TypeProperty) => typeText({ typePath: '', label: null, properties: [property] })
