// A source with all its mutants compiled in, each behind its number: `(is(17) ? a <= b : a < b)`. So one start of the tests serves
// many mutants. The mutants of one place stand beside each other; those of places within it stand in its original version.
import { transformSync } from 'esbuild'
import { DRIZZLE, type Mutant } from './mutants.ts'
import type { Place, Span } from './place.ts'
import type { Source } from './targets.ts'

export interface Numbered extends Mutant {
  id: number
}

/** Asks mutation.ts, by one line: the lines of the source keep their numbers. Without it, no mutant is on. */
const HEAD = 'const __mutation = globalThis.__mutation ?? { is: () => false }; '

interface Spot {
  place: Place
  mutants: Numbered[]
}

export function switched({ file, text }: Source, mutants: readonly Numbered[]): string {
  const spots = new Map<string, Spot>()
  for (const mutant of mutants) {
    const { start, end, isStatement } = mutant.place
    const key = `${start}:${end}:${isStatement}`
    const spot = spots.get(key) ?? { place: mutant.place, mutants: [] }
    spot.mutants.push(mutant)
    spots.set(key, spot)
  }
  const body = rendered(text, { start: 0, end: text.length }, [...spots.values()].sort(outerFirst))
  const code = (body.includes(`${DRIZZLE}.`) ? `import * as ${DRIZZLE} from 'drizzle-orm'; ` : '') + HEAD + body
  transformSync(code, { loader: 'ts', sourcefile: file })
  return code
}

function outerFirst({ place: one }: Spot, { place: other }: Spot): number {
  return one.start - other.start || other.end - one.end || Number(other.isStatement) - Number(one.isStatement)
}

const isWithin = (inner: Span, outer: Span) => inner.start >= outer.start && inner.end <= outer.end

/** The text of a span with the spots in it, which come outer ones first. */
function rendered(text: string, span: Span, spots: readonly Spot[]): string {
  let result = ''
  let at = span.start
  for (let i = 0; i < spots.length; ) {
    const spot = spots[i] as Spot
    let next = i + 1
    while (next < spots.length && isWithin((spots[next] as Spot).place, spot.place)) next++
    const original = rendered(text, spot.place, spots.slice(i + 1, next))
    result += text.slice(at, spot.place.start) + inVersions(text, spot, original)
    at = spot.place.end
    i = next
  }
  return result + text.slice(at, span.end)
}

function inVersions(text: string, { place, mutants }: Spot, original: string): string {
  if (place.isStatement) {
    const conditions = mutants.map(({ id }) => `!__mutation.is(${id})`)
    return `{if (${conditions.join(' && ')}) ${original}}`
  }
  const versions = mutants.map(({ id, start, end, replacement }) => {
    const version = text.slice(place.start, start) + replacement + text.slice(end, place.end)
    return `__mutation.is(${id}) ? (${version}) : `
  })
  return `(${versions.join('')}(${original}))`
}
