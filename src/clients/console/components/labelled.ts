// On a phone a table becomes cards: each cell then says which column it is of. The names are those of the table's own head.

export function labelled(table: HTMLTableElement | null): void {
  if (!table) return
  label(table)
  new MutationObserver(() => label(table)).observe(table, { childList: true, subtree: true })
}

function label(table: HTMLTableElement): void {
  const names = [...table.querySelectorAll('thead th')].map(head => head.textContent?.trim() ?? '')
  for (const row of table.tBodies[0]?.rows ?? []) {
    for (const [at, cell] of [...row.cells].entries()) {
      const name = names[at] ?? ''
      const isLabelled = cell.tagName === 'TD' && name !== '' && !cell.classList.contains('acts')
      if (isLabelled && cell.dataset.label !== name) cell.dataset.label = name
    }
  }
}
