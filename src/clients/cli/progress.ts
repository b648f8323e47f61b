// A progress bar with rate and time left on a terminal, a line now and then in a log. `ProgressView` is pure; `Progress` writes.

import { type Paint, paintFor } from './style.ts'
import { cut } from './table.ts'
import { SCREEN_WIDTH, type World } from './terminal.ts'

const LABEL_WIDTH = 10
const WIDEST_BAR = 24
const NARROWEST_BAR = 6
/** What stands beside the bar at most: label, percent, counts, rate, time left. */
const BESIDE_BAR = 80
const LONGEST_PAUSE_MS = 100
/** The rate is that of the last seconds, not of the whole time. */
const RATE_WINDOW_MS = 10_000
const SHORTEST_MEASURE_MS = 200

export interface Measure {
  /** What is being done; the rate starts again with each. */
  label: string
  done: number
  /** Unknown while rows are still being counted. */
  total: number | undefined
  unit: 'rows' | 'bytes'
  /** How much of everything is done, from 0 to 1, where that is more than `done` of `total`. */
  share?: number | undefined
  /** What the service itself measures goes before what can be seen from here (N74). */
  perSecond?: number | undefined
  /** Null: the service says that nobody knows. */
  secondsLeft?: number | null | undefined
}

interface Sample {
  atMs: number
  value: number
}

/** Turns measures over time into a line: bar, percent, counts, rate, time left. */
export class ProgressView {
  readonly #barWidth: number
  #amounts: Sample[] = []
  #shares: Sample[] = []
  #label = ''

  constructor(screenWidth: number) {
    this.#barWidth = Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, screenWidth - BESIDE_BAR))
  }

  line(measure: Measure, nowMs: number): string {
    if (measure.label !== this.#label) this.#amounts = []
    this.#label = measure.label
    const parts = [measure.label.padEnd(LABEL_WIDTH)]
    const share = shareOf(measure)
    if (share !== undefined) parts.push(...barOf(share, this.#barWidth))
    parts.push(countsOf(measure))
    const seen = rateOf(this.#amounts, measure.done, nowMs)
    const rate = measure.perSecond ?? seen
    if (rate > 0) parts.push(`${amountOf(rate, measure.unit)}/s`)
    const seenLeft = this.#secondsLeft(share, nowMs)
    const left = measure.secondsLeft === undefined ? seenLeft : measure.secondsLeft
    if (left != null && share !== 1) parts.push(`${durationOf(left)} left`)
    return parts.join('  ')
  }

  #secondsLeft(share: number | undefined, nowMs: number): number | undefined {
    const speed = share === undefined ? 0 : rateOf(this.#shares, share, nowMs)
    return share === undefined || speed === 0 ? undefined : (1 - share) / speed
  }
}

/** How much a second, over the last seconds. */
function rateOf(samples: Sample[], value: number, nowMs: number): number {
  samples.push({ atMs: nowMs, value })
  while (samples.length > 2 && nowMs - (samples[0]?.atMs ?? 0) > RATE_WINDOW_MS) samples.shift()
  const first = samples[0]
  if (first === undefined || nowMs - first.atMs < SHORTEST_MEASURE_MS) return 0
  return Math.max(0, ((value - first.value) * 1000) / (nowMs - first.atMs))
}

export function shareOf(measure: Measure): number | undefined {
  const { share, done, total } = measure
  if (share === undefined && total === undefined) return undefined
  return Math.min(1, Math.max(0, share ?? (total ? done / total : 1)))
}

function barOf(share: number, width: number): string[] {
  const full = Math.round(share * width)
  return [`[${'█'.repeat(full)}${'░'.repeat(width - full)}]`, `${Math.floor(share * 100)}%`.padStart(4)]
}

function countsOf(measure: Measure): string {
  if (measure.total === undefined) return amountOf(measure.done, measure.unit)
  const done = measure.unit === 'rows' ? countOf(measure.done) : amountOf(measure.done, measure.unit)
  return `${done} of ${amountOf(measure.total, measure.unit)}`
}

export function amountOf(amount: number, unit: Measure['unit']): string {
  if (unit === 'rows') return `${countOf(amount)} ${Math.round(amount) === 1 ? 'row' : 'rows'}`
  if (amount < 1024) return `${Math.round(amount)} B`
  const mib = amount / (1024 * 1024)
  return mib >= 1 ? `${mib.toFixed(1)} MiB` : `${(amount / 1024).toFixed(1)} KiB`
}

function countOf(amount: number): string {
  return Math.round(amount).toLocaleString('en')
}

export function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

export class Progress {
  readonly #world: World
  readonly #quiet: boolean
  readonly #view: ProgressView
  readonly #paint: Paint
  #shownAtMs = 0
  #shown = ''
  #lastStep = ''

  constructor(world: World, quiet: boolean) {
    this.#world = world
    this.#quiet = quiet
    this.#view = new ProgressView(world.stderr.columns ?? SCREEN_WIDTH)
    this.#paint = paintFor(world.stderr, world.env)
  }

  show(measure: Measure): void {
    if (this.#quiet) return
    const nowMs = Date.now()
    const line = this.#view.line(measure, nowMs)
    const share = shareOf(measure)
    const ended = share === 1
    if (this.#world.stderr.isTTY) {
      if (!ended && nowMs - this.#shownAtMs < LONGEST_PAUSE_MS) return
      this.#shownAtMs = nowMs
      this.#shown = line
      const fitting = cut(line, (this.#world.stderr.columns ?? SCREEN_WIDTH) - 1)
      this.#world.stderr.write(`\r\u001b[2K${fitting.replace(/█+/, bar => this.#paint('good', bar))}`)
      return
    }
    const step = `${measure.label} ${Math.floor((share ?? 0) * 10)}`
    if (step === this.#lastStep) return
    this.#lastStep = step
    this.#world.stderr.write(`${line}\n`)
  }

  /** Leaves the last state on the screen and goes to the next line. */
  end(): void {
    if (this.#shown !== '') this.#world.stderr.write('\n')
    this.#shown = ''
  }
}
