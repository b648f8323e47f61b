// A configuration file in YAML or JSON, and its union with what stands inline. Aliases and size are bounded: a file of
// a few lines could otherwise grow to gigabytes. YAML is read in pieces, so that others get their turn in between (N60).
import { Composer, type Document, isScalar, Lexer, LineCounter, Parser, visit } from 'yaml'
import type { FieldError } from '../../../platform/errors.ts'
import { KB, LOAD_CONFIGURATION_MAX_BYTES } from '../../../platform/limits.ts'

const ALIASES_MAX = 100
/** Words and signs that are read before others get a turn. */
const LEXEMES_A_TURN = 2000

export type FileContent = { content: Record<string, unknown> } | { faults: FieldError[] }

const at = '/loaderConfigurationId'

/** Called between two pieces of work. */
type Pause = () => Promise<void>

export async function readConfigurationFile(text: string, pause: Pause = async () => undefined): Promise<FileContent> {
  if (text.length > LOAD_CONFIGURATION_MAX_BYTES) {
    return { faults: [{ path: at, message: `The file is larger than ${LOAD_CONFIGURATION_MAX_BYTES / KB} KB.` }] }
  }
  const read = /^\s*[{[]/.test(text) ? await readJson(text, pause) : await readYaml(text, pause)
  if ('faults' in read) return read
  const { content } = read
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    const message = 'The file does not hold an object with properties such as loadType. Is it the configuration?'
    return { faults: [{ path: at, message }] }
  }
  if ('loaderConfigurationId' in content) {
    return { faults: [{ path: at, message: 'The file cannot refer to another configuration file.' }] }
  }
  return { content: content as Record<string, unknown> }
}

type Read = { content: unknown } | { faults: FieldError[] }

/** What begins with a brace may be YAML as well. */
async function readJson(text: string, pause: Pause): Promise<Read> {
  try {
    return { content: JSON.parse(text) }
  } catch {
    return readYaml(text, pause, 'JSON')
  }
}

/** One mistake makes the parser stumble more than once: only the first is told. */
async function readYaml(text: string, pause: Pause, what = 'YAML'): Promise<Read> {
  const lines = new LineCounter()
  const fault = (reason: string, offset: number): Read => {
    const { line, col } = lines.linePos(offset)
    return {
      faults: [{ path: at, message: `The file is not valid ${what} (line ${line}, column ${col}): ${reason}.` }],
    }
  }
  const [document, second] = await documentsIn(text, lines, pause)
  if (!document) return { content: null }
  const [error] = document.errors
  if (second && !error) return fault('It holds more than one document', second.range[0])
  if (error) return fault((error.message.split('\n')[0] ?? '').replace(/\.$/, ''), error.pos[0])
  const repeated = repeatedKey(document)
  if (repeated) return fault(`The key "${repeated.key}" stands here twice`, repeated.offset)
  try {
    return { content: document.toJS({ maxAliasCount: ALIASES_MAX }) }
  } catch {
    return { faults: [{ path: at, message: 'The file uses too many aliases.' }] }
  }
}

async function documentsIn(text: string, lines: LineCounter, pause: Pause): Promise<Document.Parsed[]> {
  const parser = new Parser(lines.addNewLine)
  // The composer's own check of keys compares each with all the others.
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false })
  const documents: Document.Parsed[] = []
  const compose = (tokens: Iterable<Parameters<Composer['next']>[0]>) => {
    for (const token of tokens) documents.push(...composer.next(token))
  }
  lines.addNewLine(0)
  let read = 0
  for (const lexeme of new Lexer().lex(text)) {
    compose(parser.next(lexeme))
    if (++read % LEXEMES_A_TURN === 0) await pause()
  }
  compose(parser.end())
  documents.push(...composer.end(true, text.length))
  await pause()
  return documents
}

/** The first key that its object has had already. */
function repeatedKey(document: Document): { key: string; offset: number } | undefined {
  let found: { key: string; offset: number } | undefined
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const text = String(key.value)
        if (seen.has(text)) {
          found = { key: text, offset: key.range?.[0] ?? 0 }
          return visit.BREAK
        }
        seen.add(text)
      }
      return undefined
    },
  })
  return found
}

/** Inline properties win, each whole. */
export function unite(file: Record<string, unknown>, inline: Record<string, unknown>): Record<string, unknown> {
  return { ...file, ...inline }
}
