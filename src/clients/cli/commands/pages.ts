// Every list that the service pages: the same flags, the same words where there is more, and --all without holding it all.

import type { Command } from 'commander'
import type { Page } from '../../typescript/index.ts'
import type { Cli } from '../cli.ts'
import { wholeNumber } from '../input.ts'
import type { Column, Row } from '../table.ts'

/** Large enough to ask seldom, small enough to be held. */
const ALL_PAGE_SIZE = 200

export interface PageFlags {
  limit?: number
  pageKey?: string
  all?: boolean
}

/** What a list is asked for. */
export interface Place {
  limit: number | undefined
  nextPageKey: string | undefined
}

export interface Listing<P extends Page<object>> {
  columns: readonly Column[]
  read(place: Place): Promise<P>
  /** Where the rows of a table are not the results themselves. */
  rows?(page: P, isFirst: boolean): readonly Row[]
  /** Said where there is nothing. */
  none?: string
  /** Asked for where --limit is not given. */
  limit?: number
}

export function withPages(command: Command): Command {
  return command
    .option('--limit <number>', 'how many a page, 1 to 1000 (the service gives 100 by itself)', text =>
      wholeNumber('--limit', text),
    )
    .option('--page-key <key>', 'go on where an earlier page ended')
    .option('--all', 'every page, not only one; with --json one document a line')
}

/** Prints one page, or with --all one after the other, each of which is gone before the next is asked for. Gives the last. */
export async function printPages<P extends Page<object>>(
  cli: Cli,
  command: Command,
  { all = false, limit, pageKey }: PageFlags,
  { columns, read, rows = rowsOf, none = 'There are none.', limit: usual }: Listing<P>,
): Promise<P> {
  const output = cli.output(command)
  const size = limit ?? usual ?? (all ? ALL_PAGE_SIZE : undefined)
  let nextPageKey = pageKey
  for (let isEmpty = true; ; ) {
    const page = await read({ limit: size, nextPageKey })
    const shown = rows(page, nextPageKey === undefined)
    isEmpty &&= shown.length === 0
    if (!all && (output.json || !isEmpty)) output.table(page, columns, shown)
    if (all && shown.length > 0) await output.rows(columns, shown, page.results)
    if (page.nextPageKey === null) {
      if (isEmpty && !output.json) output.note(none)
      return page
    }
    if (!all) {
      if (!output.json) output.note(`There are more: --all, or --page-key ${page.nextPageKey}`)
      return page
    }
    nextPageKey = page.nextPageKey
  }
}

function rowsOf(page: Page<object>): Row[] {
  return page.results.map(each => ({ ...each }))
}
