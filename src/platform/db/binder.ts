// Collects the parameters of a statement while its SQL is put together.
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
