// Builds addresses: base address, path segments, query strings. Pure.

import { ArgumentError } from './api-error.ts'

/** The base address without its last slash. A bare origin gets `/api`, where the service always has its API (N1). */
export function baseAddress(baseUrl: string): string {
  const url = parseUrl(baseUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ArgumentError(`baseUrl must start with https:// or http://, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') throw new ArgumentError('baseUrl must not hold credentials')
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/api' : path}`
}

function parseUrl(baseUrl: string): URL {
  try {
    return new URL(baseUrl)
  } catch {
    throw new ArgumentError(`baseUrl is not an address: ${JSON.stringify(baseUrl)}`)
  }
}

/** One path segment. An empty one would address the list, and dots another path: both are refused. */
export function segment(what: string, value: string): string {
  if (typeof value !== 'string' || value === '') throw new ArgumentError(`${what} must be a string that is not empty`)
  if (value === '.' || value === '..') throw new ArgumentError(`${what} must not be ${JSON.stringify(value)}`)
  return encodeURIComponent(value)
}

/** Calls name the entity in the singular, paths in the plural; a plural is left as it is. */
export function entityPath(entityName: string): string {
  const name = segment('entityName', entityName)
  if (name.endsWith('ss')) return `/${name}es`
  if (name.endsWith('s')) return `/${name}`
  return name.endsWith('y') ? `/${name.slice(0, -1)}ies` : `/${name}s`
}

/** Values of a query: objects and lists travel as URL-encoded JSON; undefined and null are left out. */
export type Query = Readonly<Record<string, unknown>>

export function queryString(query: Query | undefined): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    params.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
