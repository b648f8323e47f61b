// The entity name of a command line. A name that this command does not know is asked for all the same, since the service may be
// newer; when the service does not know it either, the nearest name is suggested.

import { closest, distance } from 'fastest-levenshtein'
import { ApiError, ENTITY_NAMES } from '../typescript/index.ts'
import { EXIT_USAGE, Failure } from './failure.ts'

const FARTHEST = 3

export function nearestName(name: string, names: readonly string[] = ENTITY_NAMES): string | undefined {
  const nearest = closest(name.toLowerCase(), [...names])
  return distance(name.toLowerCase(), nearest) <= FARTHEST ? nearest : undefined
}

export async function withEntityName<T>(entityName: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404 || isKnown(entityName)) throw error
    const nearest = nearestName(entityName)
    throw new Failure({
      what: `There is no entity type ${JSON.stringify(entityName)}.`,
      why: `The service knows none of this name. (404, ${error.code})`,
      todo: `${nearest === undefined ? '' : `Did you mean ${nearest}? `}\`selvedge types list\` shows all of them.`,
      exitCode: EXIT_USAGE,
    })
  }
}

/** In the singular or the plural, both of which the service takes. */
function isKnown(name: string): boolean {
  return (
    ENTITY_NAMES.some(known => name === known || name === `${known}s` || name === `${known}es`) || /ies$/.test(name)
  )
}
