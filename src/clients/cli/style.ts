// Color where the screen has it. NO_COLOR and terminals without colors are respected, FORCE_COLOR too. Pure.

import { styleText } from 'node:util'
import type { Screen } from './sink.ts'

type Environment = Readonly<Record<string, string | undefined>>

const STYLES = {
  error: 'red',
  warning: 'yellow',
  good: 'green',
  title: 'bold',
  quiet: 'dim',
  advice: 'cyan',
} as const

export type Style = keyof typeof STYLES
export type Paint = (style: Style, text: string) => string

export function hasColor(screen: Pick<Screen, 'isTTY'>, env: Environment): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return screen.isTTY === true && env.TERM !== 'dumb'
}

export function paintFor(screen: Pick<Screen, 'isTTY'>, env: Environment): Paint {
  if (!hasColor(screen, env)) return (_style, text) => text
  return (style, text) => styleText(STYLES[style], text, { validateStream: false })
}

const STATES: ReadonlyMap<string, Style> = new Map([
  ['completed', 'good'],
  ['complete', 'good'],
  ['ready', 'good'],
  ['delivered', 'good'],
  ['failed', 'error'],
  ['cancelled', 'warning'],
  ['awaiting', 'warning'],
])

/** How the state of a load, a run, a task, a delivery or a file is shown. */
export function styleOfState(state: string): Style | undefined {
  return STATES.get(state)
}
