// Drafts as releases before this one have staged them, row by row: a load outlives a deploy. Pure.
import { targetNamed } from '../targets.ts'
import type { Draft } from './draft.ts'
import type { More } from './draft-packing.ts'

export interface PackedRows {
  targets: string[]
  shapes: string[][]
  /** The draft's own key is written as 0. */
  makes: [slug: string, value: unknown][][]
  rows: [target: number, key: string, line: number, shape: number, values: unknown[], make: number, more?: More][]
}

export function unpackRows({ targets, shapes, makes, rows }: PackedRows): Draft[] {
  return rows.map(([target, key, line, shape, values, make, more]) => ({
    target: targetNamed(targets[target] ?? ''),
    key,
    line,
    set: Object.fromEntries((shapes[shape] ?? []).map((slug, at) => [slug, values[at]])),
    make: Object.fromEntries((makes[make] ?? []).map(([slug, value]) => [slug, value === 0 ? key : value])),
    ...more,
  }))
}
