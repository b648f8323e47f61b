// How the API answers: an envelope, or a problem with a number that Wrangler knows.
export class ApiProblem extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const notFound = (code: number, what: string) => new ApiProblem(404, code, `${what} does not exist`)

export interface Call {
  method: string
  /** Below the account. */
  path: string
  query: URLSearchParams
  request: Request
}

/** `/queues/:id` fits `/queues/abc` and gives `{id: 'abc'}`. */
export function fitting(pattern: string, path: string): Record<string, string> | undefined {
  const words = pattern.split('/')
  const given = path.split('/')
  if (words.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, word] of words.entries()) {
    const value = decodeURIComponent(given[at] ?? '')
    if (word.startsWith(':')) params[word.slice(1)] = value
    else if (word !== value) return undefined
  }
  return params
}

export type Handler = (params: Record<string, string>, call: Call) => unknown
/** `METHOD /path`. */
export type Handlers = Record<string, Handler>
