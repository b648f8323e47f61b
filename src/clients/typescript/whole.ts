// Whether a download is whole. One that could not go on says so in its last line, because its answer may end all the same: a row
// of CSV with a cell too many, or a JSON line with a problem. One that was cut on its way ends inside a line.

import { ApiError } from './api-error.ts'

const LINE_FEED = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
/** What is exported begins with another name. */
const PROBLEM = new TextEncoder().encode('{"problem":')

interface Check {
  /** Takes piece by piece; true where a line says that it broke off. */
  isBroken(piece: Uint8Array): boolean
  /** Whether the last line feed has ended a line. */
  isBetweenLines(): boolean
}

function csvCheck(): Check {
  let columns = 0
  let cells = 1
  let isQuoted = false
  const isBroken = (piece: Uint8Array) => {
    for (const byte of piece) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (isQuoted) continue
      else if (byte === COMMA) cells++
      else if (byte === LINE_FEED) {
        columns ||= cells
        if (cells !== columns) return true
        cells = 1
      }
    }
    return false
  }
  return { isBroken, isBetweenLines: () => !isQuoted }
}

function jsonCheck(): Check {
  let alike = 0
  const isBroken = (piece: Uint8Array) => {
    for (const byte of piece) {
      if (byte === LINE_FEED) alike = 0
      else if (byte === PROBLEM[alike]) alike++
      else alike = PROBLEM.length + 1
      if (alike === PROBLEM.length) return true
    }
    return false
  }
  return { isBroken, isBetweenLines: () => true }
}

/** The same answer, whose body fails where it is not whole. */
export function wholeOnly(response: Response, format: 'csv' | 'jsonl'): Response {
  if (response.body === null) return response
  const check = format === 'csv' ? csvCheck() : jsonCheck()
  let last = LINE_FEED
  const checked = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (check.isBroken(piece)) throw brokenOff(response)
      last = piece.at(-1) ?? last
      controller.enqueue(piece)
    },
    flush() {
      if (last !== LINE_FEED || !check.isBetweenLines()) throw brokenOff(response)
    },
  })
  return new Response(response.body.pipeThrough(checked), { status: response.status, headers: response.headers })
}

function brokenOff({ status, headers }: Response): ApiError {
  const message = 'The download broke off: what follows is missing.'
  const requestId = headers.get('x-request-id') ?? undefined
  return new ApiError({ status, code: 'broken_off', message, detail: message, requestId })
}
