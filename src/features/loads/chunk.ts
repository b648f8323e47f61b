// What every look at a load's file needs: the file, what is staged of it, and a reading of its rows.
import { ExpressionSyntaxError } from '../../platform/expression/errors.ts'
import { contentKey } from '../files/store.ts'
import { advance, type LoadScope } from './checkpoint.ts'
import type { HeaderState } from './csv/dialect.ts'
import type { Source } from './csv/source.ts'
import { splitTable } from './drafts/assortment-split.ts'
import { Reading } from './drafts/chunk-reader.ts'
import type { Issues } from './issues.ts'
import { type ConditionalColumn, compileColumns } from './rows/conditional-columns.ts'
import type { TypeSource } from './rows/property.ts'
import { failed, type LoadState, withIssues } from './state.ts'
import type { Load } from './store/loads.ts'
import { Staging } from './store/staging.ts'
import { fills } from './targets.ts'

export function sourceOf(scope: Pick<LoadScope, 'env' | 'org' | 'bounds'>, { state }: Pick<Load, 'state'>): Source {
  const { configuration, fileSize, fileKey = contentKey(scope.org.id, configuration.fileLocation) } = state
  return { bucket: scope.env.FILES, key: fileKey, size: fileSize, bounds: scope.bounds }
}

/** What is staged of a second reading has names of its own: chunks may be cut otherwise, and a late worker still writes those of the first. */
export function stagingOf({ env, org }: LoadScope, { id, state }: Pick<Load, 'id' | 'state'>): Staging {
  return new Staging(env.FILES, org.id, id, state.isAgain ? 'again-' : '')
}

/** The load ends here, with these issues. */
export async function stop(
  scope: LoadScope,
  load: Load,
  state: LoadState,
  issues: Issues,
  chunk: number,
  area: 'PARSING_CSV' | 'VALIDATING_DATA',
) {
  await stagingOf(scope, load).writeIssues(chunk, issues.list)
  return advance(scope, load, failed(withIssues(state, issues, chunk), area))
}

export function compile(
  { configuration }: LoadState,
  header: HeaderState,
  issues: Issues,
): ConditionalColumn[] | undefined {
  const { conditionalColumns = [], federatedMappings = {} } = configuration
  const made = conditionalColumns.map(({ toProperty }) => toProperty)
  const names = new Set([...header.names, ...Object.keys(federatedMappings), ...made])
  const compiled = conditionalColumns.flatMap(definition => {
    try {
      return compileColumns([definition], names)
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error
      const message = `An expression cannot be read with the columns of this file: ${error.message}.`
      issues.error(header.line, definition.toProperty, 'CONFIG', message)
      return []
    }
  })
  return compiled.length === conditionalColumns.length ? compiled : undefined
}

export function readingFor(
  state: LoadState,
  header: HeaderState,
  conditionals: ConditionalColumn[],
  types: TypeSource,
  issues: Issues,
): Reading {
  const { configuration, targets } = state
  const split = fills(configuration, 'assortmentId') ? splitTable(configuration, new Map(targets)) : undefined
  const typePathSeen = state.typePathSeen ?? undefined
  return new Reading({ configuration, header, conditionals, types, split, issues, typePathSeen })
}
