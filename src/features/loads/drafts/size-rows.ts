// The sizes of a size range template, separated by | (N32).
import { KEY_TEXT_MAX_LENGTH, SIZES_MAX } from '../../../platform/limits.ts'
import { shown } from '../rows/cell-readers.ts'
import type { ReservedCells } from './reserved-cells.ts'

export function sizeFields({ line, issues, textOf }: ReservedCells): Record<string, unknown> {
  const sizes = textOf('sizes')
  if (sizes === undefined) return {}
  const list = sizes
    .split('|')
    .map(size => size.trim())
    .filter(size => size !== '')
  const long = list.find(size => size.length > KEY_TEXT_MAX_LENGTH)
  if (long !== undefined || list.length > SIZES_MAX) {
    const message = `At most ${SIZES_MAX} sizes of ${KEY_TEXT_MAX_LENGTH} characters each are allowed.`
    issues.error(line, 'sizes', 'INVALID_DATA', `${shown(long ?? sizes)} is too much. ${message}`)
  }
  return { sizes: list.length > 0 ? list : null }
}
