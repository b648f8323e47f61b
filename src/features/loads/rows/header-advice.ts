// Names that nearly say what was meant, and would do something else in silence (N72). Pure.
import { COMMON_READ_ONLY } from '../../../platform/kind.ts'
import { bareName, quoted } from '../../../platform/nearest.ts'
import type { Issues } from '../issues.ts'
import type { PreviewConfiguration } from '../preview-shape.ts'
import type { Targets } from '../targets.ts'
import type { Property } from './property.ts'

const COMMON: readonly string[] = COMMON_READ_ONLY

/** What the entity of a row has whatever its type defines, beside the columns that a load reserves. */
const declaredBy = ([own]: Targets) => ['identifier', ...own.readOnly].filter(name => !COMMON.includes(name))

export function adviseOnHeader(
  names: readonly string[],
  line: number,
  { columnTypes = {}, conditionalColumns = [] }: Pick<PreviewConfiguration, 'columnTypes' | 'conditionalColumns'>,
  targets: Targets,
  properties: readonly Property[],
  issues: Issues,
): void {
  const columns = [...names, ...conditionalColumns.map(({ toProperty }) => toProperty)]
  for (const name of Object.keys(columnTypes)) {
    if (columns.includes(name)) continue
    const message = `There is no column ${quoted(name)} to read.`
    issues.warnOnce(line, name, 'CONFIG', message, { name, among: () => columns })
  }
  const declared = declaredBy(targets)
  for (const column of columns) {
    const meant = declared.find(name => bareName(name) === bareName(column))
    if (meant === undefined || columns.includes(meant) || properties.some(isCalled(column))) continue
    const message = `This column is not taken for ${meant}: call it ${meant} exactly, or map it.`
    issues.warnOnce(line, column, 'HEADER_MISMATCH', message)
  }
}

const isCalled = (column: string) => {
  const lower = column.toLowerCase()
  return ({ slug, label }: Property) => slug === column || label.toLowerCase() === lower
}
