// What no JSON from outside may hold: names that reach prototypes, numbers beyond a double, text that is not
// Unicode, depth without end. Pure.

import { type FieldError, pointer } from './errors.ts'
import { isLostInteger } from './formats/lost-integer.ts'
import { FAULTS_MAX, JSON_MAX_DEPTH } from './limits.ts'

export const HOSTILE_NAMES = new Set(['__proto__', 'constructor', 'prototype'])
/** In a pattern with the flag `u` only a surrogate without its partner counts as one. */
const LONE_SURROGATE = /\p{Surrogate}/u

interface Place {
  name: string
  parent: Place | undefined
}

export function hostileParts(value: unknown, maxDepth = JSON_MAX_DEPTH): FieldError[] {
  const faults: FieldError[] = []
  const fault = (place: Place | undefined, message: string) => faults.push({ path: pointerTo(place), message })
  const walk = (part: unknown, place: Place | undefined, depth: number): void => {
    if (faults.length >= FAULTS_MAX) return
    if (typeof part === 'string' && LONE_SURROGATE.test(part)) fault(place, 'The text is not valid Unicode.')
    if (typeof part === 'number' && !Number.isFinite(part)) fault(place, 'The number is too large.')
    if (typeof part !== 'object' || part === null) return
    if (depth >= maxDepth) {
      fault(place, `Nested deeper than ${maxDepth} levels.`)
      return
    }
    for (const [name, inner] of Object.entries(part)) {
      const below = { name, parent: place }
      if (HOSTILE_NAMES.has(name) || LONE_SURROGATE.test(name)) fault(below, 'This name is not allowed.')
      else walk(inner, below, depth + 1)
    }
  }
  walk(value, undefined, 0)
  return faults.slice(0, FAULTS_MAX)
}

/** Shorter ones JavaScript can hold. */
export const LONG_DIGITS = /\d{16}/

/** Where a JSON text holds an integer that JavaScript cannot hold (N69): it would be stored as another one. */
export const lostIntegers = (text: string) => lostNumbers(text, isLostInteger, LONG_DIGITS)

/** `suspect` finds texts that may hold such a number. */
export function lostNumbers(text: string, isLost: (source: string) => boolean, suspect: RegExp): FieldError[] {
  if (!suspect.test(text)) return []
  const lost: object = {}
  const read = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && isLost(context?.source ?? '') ? lost : value
  const faults: FieldError[] = []
  const walk = (part: unknown, place: Place | undefined): void => {
    if (faults.length >= FAULTS_MAX || typeof part !== 'object' || part === null) return
    if (part === lost) faults.push({ path: pointerTo(place), message: 'The number has more digits than can be kept.' })
    else for (const [name, inner] of Object.entries(part)) walk(inner, { name, parent: place })
  }
  walk(JSON.parse(text, read), undefined)
  return faults
}

function pointerTo(place: Place | undefined): string {
  const names: string[] = []
  for (let at = place; at; at = at.parent) names.unshift(at.name)
  return pointer(names)
}
