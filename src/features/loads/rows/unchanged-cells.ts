/** What is not there leaves its property as it is (N73). */
export function leaveAlone(cells: unknown[], mark: string): void {
  for (let at = cells.indexOf(mark); at >= 0; at = cells.indexOf(mark, at + 1)) cells[at] = undefined
}
