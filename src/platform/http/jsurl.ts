// Reads jsurl, the encoding of objects in query parameters: `~(name~'Trail*20Jacket~size~42)`. The library takes half-read
// text, returns functions, reaches prototypes and recurses without a bound (N19). So its recursion is bounded before, and
// what it has read must say the same again when it is written back. Pure.
import JSURL from 'jsurl'

const ESCAPE = /\*\*([0-9a-fA-F]{4})|\*([0-9a-fA-F]{2})|!/g

/** Undefined where the text is not jsurl from its first character to its last, or nested deeper than allowed. */
export function readJsurl(text: string, maxDepth: number): unknown {
  // Some browsers and proxies encode the apostrophe, even more than once.
  const plain = text.replaceAll(/%(?:25)*27/g, "'")
  if (!plain.startsWith('~') || depthOf(plain) > maxDepth) return undefined
  const value: unknown = JSURL.tryParse(plain)
  const again = value === undefined ? undefined : writtenBack(value)
  return again !== undefined && unescaped(again) === unescaped(plain) ? value : undefined
}

/** The library's writer stumbles over a property that is named `hasOwnProperty`. */
function writtenBack(value: unknown): string | undefined {
  try {
    return JSURL.stringify(value)
  } catch {
    return undefined
  }
}

const NUMBER = /~(-?\d[\d.eE+-]*)(?=[~)]|$)/g

/** A number that jsurl writes in another way, which is why the text cannot be read; undefined where that is not the cause. */
export function oddNumber(text: string, maxDepth: number): { sent: string; written: string } | undefined {
  const odd = [...text.matchAll(NUMBER)].map(([, sent = '']) => ({ sent, written: String(Number(sent)) }))
  const first = odd.find(({ sent, written }) => sent !== written && written !== 'NaN')
  const mended = text.replaceAll(NUMBER, (_, sent: string) => `~${Number(sent)}`)
  return first && readJsurl(mended, maxDepth) !== undefined ? first : undefined
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '(') deepest = Math.max(deepest, ++depth)
    else if (character === ')') depth--
  }
  return deepest
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPE, (found, four?: string, two?: string) =>
    found === '!' ? '$' : String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
  )
}
