// What keys, names and property names may look like, for all writers (N65). Plain checks without a schema, because they run for every row of a load.
import { KEY_TEXT_MAX_LENGTH, PROPERTY_NAME_MAX_LENGTH } from '../../platform/limits.ts'

const CONTROL = /\p{Cc}/u
/** What JSON paths could not address without escapes. */
const NOT_IN_PROPERTY_NAMES = /["\\\p{Cc}]/u

const TOO_LONG = `At most ${KEY_TEXT_MAX_LENGTH} characters are allowed.`
const HAS_CONTROL = 'Control characters are not allowed.'

/** Of a name; undefined where nothing is wrong with it. */
export function nameFault(text: string): string | undefined {
  if (text.length > KEY_TEXT_MAX_LENGTH) return TOO_LONG
  return CONTROL.test(text) ? HAS_CONTROL : undefined
}

/** Of a federatedId or an identifier. */
export function keyFault(text: string): string | undefined {
  return text === '' ? 'It must not be empty.' : nameFault(text)
}

export function isPropertyName(name: string): boolean {
  return name !== '' && name.length <= PROPERTY_NAME_MAX_LENGTH && !NOT_IN_PROPERTY_NAMES.test(name)
}
