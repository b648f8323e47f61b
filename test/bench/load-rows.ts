// The rows that loads are measured with: as a CSV file for the service, as properties for the floor.

export const HEADER = [
  'itemFamilyFederatedId',
  'name',
  'fabric',
  'color',
  'price',
  'active',
  'note',
  'since',
  'sizes',
  'text',
]

export function rowOf(n: number): string[] {
  return [
    `F${n}`,
    `Name of ${n}`,
    `fabric ${n}`,
    'red',
    String(n % 100),
    'true',
    `some text here ${n}`,
    `2024-01-0${1 + (n % 9)}`,
    'x|y',
    'abc def ghi',
  ]
}

export function csvOf(rows: number): string {
  const lines = [HEADER.join(',')]
  for (let n = 0; n < rows; n++) lines.push(rowOf(n).join(','))
  return `${lines.join('\n')}\n`
}

export function propertiesOf(n: number): Record<string, unknown> {
  const [federatedId, name, ...cells] = rowOf(n)
  const own = Object.fromEntries(HEADER.slice(2).map((column, at) => [column, cells[at]]))
  return { typePath: 'item', name, federatedId, roles: ['family'], ...own, active: true }
}
