// Numbers of a document that would be sent as others. Pure.

import { type Document, visit } from 'yaml'
import { isLostInteger } from '../../platform/formats/lost-integer.ts'

/** Texts and numbers of valid JSON, read here because Node 20 tells a reviver nothing of the source. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g
const MAY_BE_LOSSY = /\d{16}|[eE]\+?\d{3}/

export function isLossy(source: string, value = Number(source)): boolean {
  return !Number.isFinite(value) || isLostInteger(source)
}

export function lossyNumberIn(json: string): string | undefined {
  if (!MAY_BE_LOSSY.test(json)) return undefined
  for (const [token] of json.matchAll(TOKEN)) if (!token.startsWith('"') && isLossy(token)) return token
  return undefined
}

export function lossyNumberInYaml(document: Document): string | undefined {
  let found: string | undefined
  visit(document, {
    Scalar(_key, { source = '', value }) {
      if (typeof value !== 'number' || !isLossy(source, value)) return undefined
      found = source
      return visit.BREAK
    },
  })
  return found
}
