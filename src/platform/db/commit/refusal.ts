// Reads why a batch was refused out of D1's message, and says it in our words.
import { type Code, Fault, type FieldError } from '../../errors.ts'
import { ENTITY_MAX_BYTES } from '../../limits.ts'
import { BATCH_UPDATED_MAX_BYTES } from '../limits.ts'
import { quotaRefusal } from '../quota.ts'
import { ENTITY_SIZE_CHECK } from '../schema/entities.ts'
import { REFUSED } from './check.ts'
import { fromMessage } from './message.ts'
import type { TypeGuard } from './type-checks.ts'

export type Reason = 'missing' | 'stale' | 'unfit' | 'reference' | 'deep' | 'duplicate' | 'in_use' | 'large'

/** Why a write was refused: its place among the writes, and the field that it is about. */
export interface Refusal {
  index: number
  reason: Reason | 'moved'
  field: string
}

type FinalRefusal = Refusal & { reason: Reason }

/** The reasons by weight: the first one present gives the answer its code. */
const ANSWERS: Record<Reason, { code: Code; detail: string; message(field: string): string }> = {
  missing: { code: 'not_found', detail: 'There is no such entity.', message: () => 'There is no such entity.' },
  stale: {
    code: 'precondition_failed',
    detail: 'The entity has changed since the version that If-Match names.',
    message: () => 'The entity has changed since.',
  },
  unfit: {
    code: 'invalid_input',
    detail: 'The entity does not fit its type.',
    message: () => 'The entity does not fit its type.',
  },
  reference: {
    code: 'invalid_input',
    detail: 'The request refers to entities that do not exist.',
    message: () => 'There is no such entity to refer to.',
  },
  deep: {
    code: 'invalid_input',
    detail: 'Nothing may be nested deeper than one level.',
    message: () => 'What is named here belongs to another one itself, or others belong to this one.',
  },
  duplicate: {
    code: 'duplicate',
    detail: 'Another entity has this key already.',
    message: field => `Another entity has this ${field.replaceAll('+', ' and ')}.`,
  },
  in_use: {
    code: 'in_use',
    detail: 'Other entities refer to this one.',
    message: field => `Entities of type ${field} refer to it.`,
  },
  large: {
    code: 'too_large',
    detail: `Send these updates in smaller batches. Their entities may hold at most ${BATCH_UPDATED_MAX_BYTES} bytes together.`,
    message: () => 'Send these updates in smaller batches.',
  },
}

const REASONS = Object.keys(ANSWERS) as Reason[]

/** Writes that the store refused, with why for those who can do something about it. */
export class Refused extends Fault {
  refusals: readonly Refusal[] = []
}

/** The types have changed since the writes were validated: validate again. */
export class StaleTypes extends Error {}

/** A write changes a type path: what is stored must be held against the new one (N67). */
export class Moved extends Error {}

/** Undefined where the error is none of ours. */
export function readRefusal(error: unknown, isBatch: boolean, types?: TypeGuard): Error | undefined {
  if (!(error instanceof Error)) return undefined
  const refused = new RegExp(`${REFUSED}([^']+)'`).exec(error.message)?.[1]
  if (refused?.split(' ').includes('0:types:')) return new StaleTypes('the types have changed')
  if (refused) return refusalFor(refused.split(' ').map(parseRefusal), isBatch, types)
  const column = /UNIQUE constraint failed: .*entities\.(\w+)/.exec(error.message)?.[1]
  if (column) return new Fault('duplicate', `Another entity has this ${column.replaceAll('_', ' ')}.`)
  if (error.message.includes(`CHECK constraint failed: ${ENTITY_SIZE_CHECK}`)) {
    return new Fault('too_large', `An entity may hold at most ${ENTITY_MAX_BYTES} bytes.`)
  }
  return quotaRefusal(error.message)
}

function parseRefusal(text: string): Refusal {
  const [index = '0', reason = '', field = ''] = text.split(':')
  return { index: Number(index), reason: reason as Refusal['reason'], field: fromMessage(field) }
}

/** What is missing or stale is refused as it is; all else must wait for what a new type path says of it. */
function refusalFor(refusals: Refusal[], isBatch: boolean, types?: TypeGuard): Error {
  const final = refusals.filter(refusal => refusal.reason !== 'moved') as FinalRefusal[]
  const isCertain = final.some(({ reason }) => reason === 'missing' || reason === 'stale')
  if (final.length < refusals.length && !isCertain) return new Moved('a type path changes')
  return faultFor(final, isBatch, types)
}

function faultFor(refusals: FinalRefusal[], isBatch: boolean, types?: TypeGuard): Fault {
  const weightiest = REASONS.find(reason => refusals.some(refusal => refusal.reason === reason)) ?? 'missing'
  const { code, detail } = ANSWERS[weightiest]
  const errors = refusals.flatMap((refusal): FieldError[] => {
    // What is too large is all of them together.
    const place = isBatch && refusal.reason !== 'large' ? `/${refusal.index}` : ''
    return errorsFor(refusal, types).map(({ path, message }) => ({ path: place + path, message }))
  })
  // One entity that is missing or stale has no fault inside it to point at.
  const isWhole = !isBatch && (weightiest === 'missing' || weightiest === 'stale')
  const fault = new Refused(code, detail, isWhole ? {} : { errors })
  fault.refusals = refusals
  return fault
}

function errorsFor({ reason, field }: FinalRefusal, types?: TypeGuard): FieldError[] {
  if (reason === 'unfit') return types?.verdicts[Number(field)]?.errors ?? []
  const isField = reason === 'reference' || reason === 'deep' || (reason === 'duplicate' && !field.includes('+'))
  return [{ path: isField ? `/${field}` : '', message: ANSWERS[reason].message(field) }]
}
