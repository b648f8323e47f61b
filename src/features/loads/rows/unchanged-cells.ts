import type { LoaderConfiguration } from '../contract.ts'

/**
 * Whether the file is an export (N51): what it says as it is stored already says nothing, nor does it of roles, and a family's own row
 * counts wherever it stands.
 */
export const isExport = ({ unchangedMark }: Pick<LoaderConfiguration, 'unchangedMark'>): boolean =>
  unchangedMark !== undefined

/** What is not there leaves its property as it is (N73). */
export function leaveAlone(cells: unknown[], mark: string): void {
  for (let at = cells.indexOf(mark); at >= 0; at = cells.indexOf(mark, at + 1)) cells[at] = undefined
}
