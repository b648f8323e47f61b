// An assortment may not contain itself, not even through others: its summary would have no end.
import { fieldsOf } from '../../platform/db/commit/write.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { COMPOSITE_MAX_STEPS } from '../../platform/limits.ts'
import { CYCLE, MEASURES, noCycles, notMeasuring, TOO_MANY_STEPS } from './store.ts'

export const assortmentGuard: NonNullable<Kind['guard']> = (orgId, writes) => {
  const composites = writes.flatMap((write, at): [number, string][] => {
    const members = fieldsOf(write).memberAssortmentIds
    return Array.isArray(members) && members.length > 0 ? [[at, write.id]] : []
  })
  return {
    after: composites.length ? [noCycles(orgId, composites)] : [],
    refusal: (text, place) => {
      if (text.includes(TOO_MANY_STEPS)) return tooMany()
      const [, index, start = '', steps = ''] = new RegExp(`${CYCLE}(\\d+) (\\S+) ([^']*)`).exec(text) ?? []
      if (index === undefined) return undefined
      const message = `The assortment would contain itself: ${cycleIn(start, steps).join(' > ')}.`
      return invalid([{ path: `${place(Number(index))}/memberAssortmentIds`, message }])
    },
  }
}

const tooMany = () =>
  new Fault(
    'too_large',
    `More than ${COMPOSITE_MAX_STEPS} composites below these: too many to check that none contains itself. Send fewer composites at a time.`,
  )

/** From the steps taken, nearest first, the shortest way from an assortment back to itself. */
function cycleIn(start: string, steps: string): string[] {
  const via = new Map<string, string>()
  for (const step of steps.split(' ')) {
    const [from = '', to = ''] = step.split('>')
    if (!via.has(to)) via.set(to, from)
  }
  const cycle = [start]
  let at = via.get(start)
  while (at !== undefined && at !== start && cycle.length <= via.size) {
    cycle.unshift(at)
    at = via.get(at)
  }
  return [start, ...cycle]
}

/** The members of its last publish. */
export const keptMembers: NonNullable<Kind['keepsFile']> = {
  check: (orgId, id) => notMeasuring({ orgId, id }),
  words: failure => {
    const [, id] = new RegExp(`${MEASURES}([^']+)`).exec(failure) ?? []
    return id && `The next publish of the assortment ${id} is measured by this file. After that it can go.`
  },
}
