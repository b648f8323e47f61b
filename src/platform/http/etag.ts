// An entity's ETag is its version (N15); where an answer holds more than the entity, a second part stands for the rest.
import type { Answer } from './operation.ts'

export function etagOf(version: number, rest?: string): string {
  return rest === undefined ? `"${version}"` : `"${version}-${rest}"`
}

/** One entity as an answer. */
export function one(entity: { version: number }, headers: Record<string, string> = {}): Answer {
  return { body: entity, headers: { ETag: etagOf(entity.version), ...headers } }
}

/**
 * The versions that If-Match allows; undefined where any will do. What else the answer held is not what is written. Weak tags
 * count, too: a proxy that compresses a response makes the strong tag weak, and a version is the same either way.
 */
export function versionsIn(request: Request): number[] | undefined {
  const header = request.headers.get('If-Match')
  if (header === null || header.trim() === '*') return undefined
  return header.split(',').flatMap(tag => {
    const version = /^\s*(?:W\/)?"(\d{1,15})(?:-[\w-]+)?"\s*$/.exec(tag)?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}

/** Whether If-None-Match names what the caller would be sent. */
export function isFresh(request: Pick<Request, 'headers'>, etag: string): boolean {
  const header = request.headers.get('If-None-Match')
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
