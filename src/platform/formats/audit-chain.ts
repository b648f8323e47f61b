// The lines of an exported audit trail, for the Worker that chains them and the command that verifies them. Each line holds the digest
// of the one before and its own: SHA-256, in base64url, of the line's JSON without `digest`, its keys in order. Nothing secret goes
// into it, so that anybody can verify a file. Pure.

export interface AuditLine {
  /** From 1, without gaps. */
  number: number
  id: string
  organizationId: string
  createdOn: string
  action: string
  actorType: string
  actorId: string | null
  address: string | null
  subjectId: string | null
  detail: Record<string, unknown>
  /** Empty for the first line of all. */
  previousDigest: string
  digest: string
}

/** Where a chain has come to: kept apart from the file, it shows what is missing at its end. */
export interface ChainHead {
  number: number
  digest: string
}

/** Of a trail without lines. */
export const NO_LINES: ChainHead = { number: 0, digest: '' }

export const headText = ({ number, digest }: ChainHead) => `${number}:${digest}`

export function headIn(text: string): ChainHead | undefined {
  const [, number, digest] = /^(\d{1,15}):([A-Za-z0-9_-]*)$/.exec(text.trim()) ?? []
  return number === undefined || digest === undefined ? undefined : { number: Number(number), digest }
}

const inOrder = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

const encoder = new TextEncoder()

export async function digestOfLine({ digest: _, ...line }: Omit<AuditLine, 'digest'> & { digest?: string }) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(JSON.stringify(line, inOrder))))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export type FaultKind = 'unreadable' | 'changed' | 'removed' | 'inserted' | 'replaced' | 'cut' | 'other-head'

export interface ChainFault {
  kind: FaultKind
  /** In the file, from 1; one behind the last where the end is missing. */
  line: number
  message: string
}

export interface Verdict {
  lines: number
  first: AuditLine | undefined
  head: ChainHead
  /** The first that was found. */
  fault?: ChainFault
}

function lineIn(text: string): AuditLine | undefined {
  try {
    const line = JSON.parse(text) as AuditLine
    const { number, previousDigest, digest } = line
    const isLine = Number.isSafeInteger(number) && typeof previousDigest === 'string' && typeof digest === 'string'
    return isLine ? line : undefined
  } catch {
    return undefined
  }
}

/** What is wrong between a line and the one before it; of the first line only what it says of itself can be judged. */
function breakBetween(
  before: AuditLine | undefined,
  { number, previousDigest }: AuditLine,
): Omit<ChainFault, 'line'> | undefined {
  if (!before) {
    const isFalseStart = (number === 1) !== (previousDigest === '')
    return isFalseStart
      ? { kind: 'replaced', message: 'It says of itself what only the first line of all can say.' }
      : undefined
  }
  if (number <= before.number) {
    return {
      kind: 'inserted',
      message: `Number ${number} comes after number ${before.number}: a line was inserted before it, or lines changed places.`,
    }
  }
  if (number > before.number + 1) {
    const missing = number - before.number - 1
    const which = missing === 1 ? `number ${number - 1} was` : `numbers ${before.number + 1} to ${number - 1} were`
    return { kind: 'removed', message: `Before it ${which} removed.` }
  }
  if (previousDigest === before.digest) return undefined
  return {
    kind: 'replaced',
    message: `Number ${number} does not follow the line before it: that one was replaced, or this one was put in its place.`,
  }
}

/** A head that was kept, against the line of its number. */
function otherHead(heads: readonly ChainHead[], { number, digest }: ChainHead): Omit<ChainFault, 'line'> | undefined {
  const isOther = heads.some(head => head.number === number && head.digest !== digest)
  if (!isOther) return undefined
  return {
    kind: 'other-head',
    message: `Number ${number} has another digest than the head that was kept: it, or a line before it, was changed, and all that follow were made anew.`,
  }
}

/** Reads a file line by line up to the first fault, and compares it with heads that were kept elsewhere. */
export async function verifyChain(
  texts: AsyncIterable<string> | Iterable<string>,
  heads: readonly ChainHead[] = [],
): Promise<Verdict> {
  let before: AuditLine | undefined
  const verdict: Verdict = { lines: 0, first: undefined, head: NO_LINES }
  for await (const text of texts) {
    const line = lineIn(text)
    const at = verdict.lines + 1
    if (!line)
      return { ...verdict, fault: { kind: 'unreadable', line: at, message: 'It is no line of an audit export.' } }
    if ((await digestOfLine(line)) !== line.digest) {
      const message = `Number ${line.number} was changed: its digest does not fit what it says.`
      return { ...verdict, fault: { kind: 'changed', line: at, message } }
    }
    const start = before ? undefined : otherHead(heads, { number: line.number - 1, digest: line.previousDigest })
    const fault = breakBetween(before, line) ?? start ?? otherHead(heads, line)
    if (fault) return { ...verdict, fault: { ...fault, line: at } }
    before = line
    verdict.lines = at
    verdict.first ??= line
    verdict.head = { number: line.number, digest: line.digest }
  }
  const fault = cutOff(verdict, heads)
  return fault ? { ...verdict, fault } : verdict
}

/** Heads that lie outside the file: behind its end, or so far before its beginning that nothing connects the two. */
function cutOff({ lines, first, head }: Verdict, heads: readonly ChainHead[]): ChainFault | undefined {
  const last = heads.reduce((latest, kept) => (kept.number > latest.number ? kept : latest), NO_LINES)
  if (last.number > head.number) {
    const message = `It ends with number ${head.number}, and the head that was kept is number ${last.number}: the last ${last.number - head.number} were cut off.`
    return { kind: 'cut', line: lines + 1, message }
  }
  const from = first?.number ?? 1
  const early = heads.find(({ number }) => number < from - 1 && number > 0)
  if (!early) return undefined
  const message = `It begins with number ${from}, and the head that was kept is number ${early.number}: what lies between is not in this file.`
  return { kind: 'cut', line: 1, message }
}
