// From the schema of a value to its type in TypeScript. Pure.

import { isRecord } from '../input.ts'
import type { Schema } from './type-model.ts'

/** Lists that are sent may be read-only; those that are read are the caller's own. */
export type Direction = 'sent' | 'read'

export function valueType(schema: unknown, direction: Direction): string {
  if (!isRecord(schema)) return schema === false ? 'never' : 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(each => JSON.stringify(each)))
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return union(choices.map(each => valueType(each, direction)))
  if (isRecord(schema.not) && Object.keys(schema.not).length === 0) return 'never'
  const { type } = schema
  if (Array.isArray(type)) return union(type.map(each => valueType({ ...schema, type: each }, direction)))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return listType(valueType(schema.items, direction), direction)
    case 'object':
      return objectType(schema, direction)
    default:
      return 'unknown'
  }
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  if (different.includes('unknown')) return 'unknown'
  return different.length === 0 ? 'never' : different.join(' | ')
}

function listType(each: string, direction: Direction): string {
  const list = /[ |]/.test(each) ? `(${each})[]` : `${each}[]`
  return direction === 'sent' ? `readonly ${list}` : list
}

function objectType(schema: Schema, direction: Direction): string {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length === 0) {
    const each = isRecord(schema.additionalProperties) ? valueType(schema.additionalProperties, direction) : 'unknown'
    return `Record<string, ${each}>`
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const parts = properties.map(([name, value]) => {
    const type = valueType(value, direction)
    return required.has(name) ? `${keyText(name)}: ${type}` : `${keyText(name)}?: ${type} | undefined`
  })
  return `{ ${parts.join('; ')} }`
}

/** A name as it stands before a colon. */
export const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
