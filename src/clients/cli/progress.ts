// A progress bar with rate and time left on a terminal, a line now and then in a log. `ProgressView` is pure; `Progress` writes.

import { SCREEN_WIDTH, type World } from './terminal.ts'

const LABEL_WIDTH = 10
const WIDEST_BAR = 24
const NARROWEST_BAR = 6
/** What stands beside the bar at most: label, percent, counts, rate, time left. */
const BESIDE_BAR = 80
const LONGEST_PAUSE_MS = 100
/** The rate is that of the last seconds, not of the whole time. */
const RATE_WINDOW_MS = 10_000

export interface Measure {
  label: string
  done: number
  /** Unknown while rows are still being counted. */
  total: number | undefined
  unit: 'rows' | 'bytes'
}

/** Turns measures over time into a line: bar, percent, counts, rate, time left. */
export class ProgressView {
  readonly #samples: { atMs: number; done: number }[] = []
  readonly #barWidth: number
  #label = ''

  constructor(screenWidth: number) {
    this.#barWidth = Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, screenWidth - BESIDE_BAR))
  }

  line(measure: Measure, nowMs: number): string {
    if (measure.label !== this.#label) this.#samples.length = 0
    this.#label = measure.label
    this.#samples.push({ atMs: nowMs, done: measure.done })
    while (this.#samples.length > 2 && nowMs - (this.#samples[0]?.atMs ?? 0) > RATE_WINDOW_MS) this.#samples.shift()
    const rate = this.#rate(measure, nowMs)
    const parts = [measure.label.padEnd(LABEL_WIDTH), ...barOf(measure, this.#barWidth), countsOf(measure)]
    if (rate > 0) parts.push(`${amountOf(rate, measure.unit)}/s`)
    if (rate > 0 && measure.total !== undefined && measure.done < measure.total) {
      parts.push(`${durationOf((measure.total - measure.done) / rate)} left`)
    }
    return parts.join('  ')
  }

  #rate(measure: Measure, nowMs: number): number {
    const first = this.#samples[0]
    if (first === undefined || nowMs - first.atMs < 200) return 0
    return Math.max(0, ((measure.done - first.done) * 1000) / (nowMs - first.atMs))
  }
}

function shareOf(measure: Measure): number {
  if (measure.total === undefined || measure.total <= 0) return 0
  return Math.min(1, Math.max(0, measure.done / measure.total))
}

function barOf(measure: Measure, width: number): string[] {
  if (measure.total === undefined) return []
  const full = Math.round(shareOf(measure) * width)
  return [`[${'█'.repeat(full)}${'░'.repeat(width - full)}]`, `${Math.floor(shareOf(measure) * 100)}%`.padStart(4)]
}

function countsOf(measure: Measure): string {
  if (measure.total === undefined) return amountOf(measure.done, measure.unit)
  const done = measure.unit === 'rows' ? countOf(measure.done) : amountOf(measure.done, measure.unit)
  return `${done} of ${amountOf(measure.total, measure.unit)}`
}

export function amountOf(amount: number, unit: Measure['unit']): string {
  if (unit === 'rows') return `${countOf(amount)} rows`
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
  #shownAtMs = 0
  #shown = ''
  #lastStep = ''

  constructor(world: World, quiet: boolean) {
    this.#world = world
    this.#quiet = quiet
    this.#view = new ProgressView(world.stderr.columns ?? SCREEN_WIDTH)
  }

  show(measure: Measure): void {
    if (this.#quiet) return
    const nowMs = Date.now()
    const line = this.#view.line(measure, nowMs)
    const ended = measure.total !== undefined && measure.done >= measure.total
    if (this.#world.stderr.isTTY) {
      if (!ended && nowMs - this.#shownAtMs < LONGEST_PAUSE_MS) return
      this.#shownAtMs = nowMs
      this.#shown = line
      this.#world.stderr.write(`\r\u001b[2K${line.slice(0, (this.#world.stderr.columns ?? SCREEN_WIDTH) - 1)}`)
      return
    }
    const step = `${measure.label} ${Math.floor(shareOf(measure) * 10)}`
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
