// Whether a history of one entity is linearizable: whether its operations, each of which took effect at some moment between its call and
// its answer, can be put into an order that one copy of the entity explains. Searched by trying (Wing and Gong), with memory. Pure.

export type Operation =
  | { kind: 'read'; version: number; value: number }
  | { kind: 'write'; value: number; version: number }
  /** Only where the entity has this version. */
  | { kind: 'swap'; from: number; value: number; version: number }
  /** A swap that was refused. */
  | { kind: 'refused'; from: number }

export type Event = Operation & { called: number; answered: number }

interface State {
  version: number
  value: number
}

/** The state afterwards; undefined where the operation cannot have been answered like this. */
function applied(state: State, event: Operation): State | undefined {
  switch (event.kind) {
    case 'read':
      return event.version === state.version && event.value === state.value ? state : undefined
    case 'refused':
      return event.from === state.version ? undefined : state
    case 'swap':
      if (event.from !== state.version) return undefined
      return written(state, event)
    case 'write':
      return written(state, event)
  }
}

/** A write that changes nothing keeps the version. */
function written(state: State, { value, version }: { value: number; version: number }): State | undefined {
  const next = value === state.value ? state : { version: state.version + 1, value }
  return next.version === version ? next : undefined
}

export function isLinearizable(events: readonly Event[], start: State): boolean {
  const seen = new Set<string>()
  const search = (left: readonly Event[], state: State): boolean => {
    if (left.length === 0) return true
    const key = `${left.map(event => events.indexOf(event)).join()} ${state.version} ${state.value}`
    if (seen.has(key)) return false
    seen.add(key)
    // Whatever was called after another was answered comes after it.
    const earliest = Math.min(...left.map(event => event.answered))
    return left
      .filter(event => event.called <= earliest)
      .some(event => {
        const next = applied(state, event)
        return (
          next !== undefined &&
          search(
            left.filter(other => other !== event),
            next,
          )
        )
      })
  }
  return search(events, start)
}
