// Questions to a person at a terminal. Where nobody can be asked, a secret is the next line of stdin.

import { createInterface } from 'node:readline'
import { password, text } from '@clack/prompts'
import { usage } from './failure.ts'
import type { World } from './terminal.ts'

export function canAsk(world: World): boolean {
  return world.stdin.isTTY === true && world.stderr.isTTY === true
}

export async function ask(world: World, question: string, whatElse: string): Promise<string> {
  if (!canAsk(world)) throw usage(`${question} is missing.`, whatElse, 'There is no terminal to ask at.')
  return (await answered(world, text({ message: question, validate: given, ...atTerminal(world) }))).trim()
}

/** As it was typed: a secret may begin or end with a space. `variable` names the variable that would have answered. */
export async function askSecret(world: World, question: string, variable?: string): Promise<string> {
  if (canAsk(world)) return answered(world, password({ message: question, validate: given, ...atTerminal(world) }))
  const answer = await nextLine(world)
  if (given(answer) === undefined) return answer
  throw usage(
    `${question} is missing.`,
    `${variable === undefined ? '' : `Set ${variable}, or `}type it at the prompt or pipe it in.`,
    'Nothing was given.',
  )
}

const atTerminal = ({ stdin, stderr, signal }: World) => ({ input: stdin, output: stderr, signal, withGuide: false })

function given(answer: string | undefined): string | undefined {
  return answer === undefined || answer.trim() === '' ? 'An answer is needed.' : undefined
}

async function answered(world: World, question: Promise<string | symbol>): Promise<string> {
  const answer = await question
  if (typeof answer === 'string') return answer
  throw world.signal.aborted ? world.signal.reason : new DOMException('Interrupted', 'AbortError')
}

/** Lines that came in one piece with the one that was asked for: the answers to the next questions. */
const early = new WeakMap<World['stdin'], string[]>()

function nextLine({ stdin, signal }: World): Promise<string> {
  const waiting = early.get(stdin) ?? []
  early.set(stdin, waiting)
  const first = waiting.shift()
  if (first !== undefined) return Promise.resolve(first)
  const lines = createInterface({ input: stdin, signal })
  return new Promise((resolve, reject) => {
    lines.on('line', line => {
      if (waiting.push(line) === 1) queueMicrotask(() => lines.close())
    })
    lines.once('close', () => (signal.aborted ? reject(signal.reason) : resolve(waiting.shift() ?? '')))
  })
}
