// What SQL is put together with: parameters, JSON paths, compound SELECTs.
export type Param = string | number | null

export class Binder {
  readonly params: Param[] = []

  /** The placeholder of a value. */
  readonly bind = (value: Param): string => {
    this.params.push(value)
    return `?${this.params.length}`
  }
}

/** A JSON path to a property, whatever its name holds. */
export function jsonPath(property: string): string {
  return `$.${JSON.stringify(property)}`
}

/** D1 takes five terms in one compound SELECT; more of them are put into subqueries. */
const COMPOUND_MAX_TERMS = 5

export function unionOf(terms: readonly string[]): string {
  if (terms.length <= COMPOUND_MAX_TERMS) return terms.join('\nUNION ALL ')
  const groups: string[] = []
  for (let at = 0; at < terms.length; at += COMPOUND_MAX_TERMS) {
    groups.push(`SELECT * FROM (${unionOf(terms.slice(at, at + COMPOUND_MAX_TERMS))})`)
  }
  return unionOf(groups)
}
