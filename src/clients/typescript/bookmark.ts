// How far this client has read and written (N59). The service tells it with each answer; sent along, it lets reads be answered
// near the caller, and never older than what the caller has seen or written itself. Without one, the primary answers.

export const BOOKMARK_HEADER = 'x-d1-bookmark'

/** What a request goes out with; what it brings back is held against it. */
export interface Begun {
  sent: string | undefined
  /** How often the bookmark had been given up by then. */
  given: number
}

export class Bookmark {
  #kept: string | undefined
  #given = 0
  readonly #onChange: ((bookmark: string | undefined) => void) | undefined

  constructor(kept?: string, onChange?: (bookmark: string | undefined) => void) {
    this.#kept = kept
    this.#onChange = onChange
  }

  begin(): Begun {
    return { sent: this.#kept, given: this.#given }
  }

  /** `mayHaveWritten`: something may have been done that the answer does not place. */
  answered({ sent, given }: Begun, received: string | null, mayHaveWritten: boolean): void {
    if (received === null) {
      if (mayHaveWritten) this.giveUp()
      return
    }
    // It began before a write that nobody has placed: it may not have seen it.
    if (given !== this.#given) return
    const isAnotherDatabase = sent !== undefined && isNewer(sent, received)
    if (isAnotherDatabase || this.#kept === undefined || isNewer(received, this.#kept)) this.#keep(received)
  }

  /** Nobody can say from where on a write is to be seen: the next read goes to the primary. */
  giveUp(): void {
    this.#given++
    this.#keep(undefined)
  }

  #keep(bookmark: string | undefined): void {
    if (bookmark === this.#kept) return
    this.#kept = bookmark
    this.#onChange?.(bookmark)
  }
}

/** Those of one database sort by time. One of another is taken as it comes: at worst it makes a read go to the primary. */
export function isNewer(one: string, other: string): boolean {
  return databaseOf(one) !== databaseOf(other) || one > other
}

const databaseOf = (bookmark: string) => bookmark.slice(0, bookmark.lastIndexOf('.') + 1)
