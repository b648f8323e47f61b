// Reads jsurl, the encoding of objects in query parameters: `~(name~'Trail*20Jacket~size~42)`. A strict reader of our own,
// because the library takes half-read text, returns functions and reaches prototypes (N19). Pure.

const KEYWORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const ESCAPE = /\*(?:\*([0-9a-fA-F]{4})|([0-9a-fA-F]{2}))|\*|!/g

class Malformed extends Error {}

/** Undefined where the text is not jsurl from its first character to its last, or nested deeper than allowed. */
export function readJsurl(text: string, maxDepth: number): unknown {
  // Some browsers and proxies encode the apostrophe, even more than once.
  const reader = new Reader(text.replaceAll(/%(?:25)*27/g, "'"), maxDepth)
  try {
    const value = reader.value(0)
    return reader.isAtEnd ? value : undefined
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

class Reader {
  readonly #text: string
  readonly #maxDepth: number
  #at = 0

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  value(depth: number): unknown {
    this.#expect('~')
    if (this.#take("'")) return unescaped(this.#word())
    if (!this.#take('(')) return scalar(this.#word())
    if (depth >= this.#maxDepth) throw new Malformed()
    return this.#next() === '~' ? this.#list(depth + 1) : this.#object(depth + 1)
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = []
    if (this.#text.startsWith('~)', this.#at)) this.#at++
    while (!this.#take(')')) list.push(this.value(depth))
    return list
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    if (this.#take(')')) return {}
    do entries.push([unescaped(this.#word()), this.value(depth)])
    while (this.#take('~'))
    this.#expect(')')
    // Defines own properties, `__proto__` included, where an assignment would reach the prototype.
    return Object.fromEntries(entries)
  }

  /** Up to what ends a name or a value. */
  #word(): string {
    const start = this.#at
    while (this.#at < this.#text.length && this.#next() !== '~' && this.#next() !== ')') this.#at++
    return this.#text.slice(start, this.#at)
  }

  #next(): string {
    return this.#text.charAt(this.#at)
  }

  #take(character: string): boolean {
    const isNext = this.#next() === character
    if (isNext) this.#at++
    return isNext
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new Malformed()
  }
}

function unescaped(word: string): string {
  return word.replaceAll(ESCAPE, (found, four?: string, two?: string) => {
    if (found === '!') return '$'
    if (found === '*') throw new Malformed()
    return String.fromCharCode(Number.parseInt(four ?? two ?? '', 16))
  })
}

function scalar(word: string): unknown {
  if (KEYWORDS.has(word)) return KEYWORDS.get(word)
  const number = NUMBER.test(word) ? Number(word) : Number.NaN
  if (!Number.isFinite(number)) throw new Malformed()
  return number
}
