// Questions to a person at a terminal. Secrets are not echoed; where nobody can be asked, a secret is the first line of stdin.

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { usage } from './failure.ts'
import type { World } from './terminal.ts'

export function canAsk(world: World): boolean {
  return world.stdin.isTTY === true && world.stderr.isTTY === true
}

export async function ask(world: World, question: string, whatElse: string, preset?: string): Promise<string> {
  if (!canAsk(world)) throw usage(`${question} is missing.`, whatElse, 'There is no terminal to ask at.')
  world.stderr.write(`${question}${preset === undefined ? '' : ` (${preset})`}: `)
  const answer = (await readLine(world, true)).trim()
  if (answer !== '') return answer
  if (preset !== undefined) return preset
  throw usage(`${question} is missing.`, whatElse, 'The answer was empty.')
}

/** `variable` names the environment variable that would have answered. */
export async function askSecret(world: World, question: string, variable?: string): Promise<string> {
  if (canAsk(world)) world.stderr.write(`${question} (not shown): `)
  const answer = (await readLine(world, false)).trim()
  if (canAsk(world)) world.stderr.write('\n')
  if (answer !== '') return answer
  throw usage(
    `${question} is missing.`,
    `${variable === undefined ? '' : `Set ${variable}, or `}type it at the prompt or pipe it in.`,
    'Nothing was given.',
  )
}

/** Lines that came in one piece with the one that was asked for: the answers to the next questions. */
const typedAhead = new WeakMap<World['stdin'], string[]>()

/** Listens for one line only, so that between questions the terminal is as usual and Ctrl-C works. */
function readLine(world: World, echo: boolean): Promise<string> {
  const waiting = typedAhead.get(world.stdin) ?? []
  typedAhead.set(world.stdin, waiting)
  const early = waiting.shift()
  if (early !== undefined) return Promise.resolve(early)
  const terminal = canAsk(world)
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (echo && terminal) world.stderr.write(String(chunk))
      done()
    },
  })
  const lines = createInterface({ input: world.stdin, output, terminal })
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(world.signal.reason)
      lines.close()
    }
    world.signal.addEventListener('abort', stop, { once: true })
    lines.once('SIGINT', () => {
      reject(new DOMException('Interrupted', 'AbortError'))
      lines.close()
    })
    lines.on('line', line => {
      if (waiting.push(line) === 1) queueMicrotask(() => lines.close())
    })
    lines.once('close', () => {
      world.signal.removeEventListener('abort', stop)
      resolve(waiting.shift() ?? '')
    })
  })
}
