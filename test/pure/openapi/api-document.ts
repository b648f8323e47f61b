// The document as the Worker serves it, made without a Worker.
import { vi } from 'vitest'
import { routes } from '../../../src/app.ts'
import { apiDocument } from '../../../src/reference.ts'

vi.mock('cloudflare:workers', () => ({ DurableObject: class {} }))

export type Json = Record<string, unknown>

export interface Media {
  schema: Json
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Answer {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, Media>
}

export interface Described {
  operationId: string
  summary: string
  tags: [string]
  'x-order': number
  parameters: ({ name: string; in: string; required: boolean; schema: Json; example?: unknown } | { $ref: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer | { $ref: string }>
}

export interface ApiDocument {
  openapi: string
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Described>>
  components: Record<'schemas' | 'responses' | 'parameters' | 'headers', Record<string, Json>>
}

export const operations = routes.map(({ operation }) => operation)

export const text = JSON.stringify(apiDocument(operations))

export const document = JSON.parse(text) as ApiDocument

export const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

/** What a reference leads to; undefined where it leads nowhere. */
export function resolved(reference: string): unknown {
  const parts = reference.split('/').slice(1)
  return parts.reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document)
}
