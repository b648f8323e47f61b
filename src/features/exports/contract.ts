// Exports on the wire (N51, N75), one for each entity type.
import * as z from 'zod'
import { named, pascal } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { queryObject } from '../../platform/http/query-object.ts'
import type { Kind } from '../../platform/kind.ts'
import { SearchQueryText } from '../entities/contract.ts'
import { Criteria, Order } from '../entities/criteria.ts'
import { LoaderProcessBody } from '../loads/contract.ts'

export const ExportQuery = z.strictObject({
  criteria: queryObject(Criteria).optional().describe('As in lists.'),
  q: SearchQueryText,
  order: queryObject(Order).optional().describe('As in lists.'),
  properties: z
    .string()
    .max(20_000)
    .optional()
    .describe('Only these, separated by commas; `federatedId` is always there.'),
  format: z
    .enum(['csv', 'csv-load', 'jsonl', 'configuration'])
    .default('csv')
    .describe(
      '`csv`: every cell shows the value that GET shows. `csv-load`: for editing and loading back; `(unchanged)` in a cell leaves the ' +
        'stored value alone. `configuration`: the loader configuration under which loading `csv-load` again changes nothing.',
    ),
})
export type ExportQuery = z.output<typeof ExportQuery>

export const ExportConfiguration = named('ExportConfiguration', LoaderProcessBody.extend({}), {
  loadType: ['ITEM'],
  unchangedMark: '(unchanged)',
})

export function exportEndpoint({ name, path }: Kind) {
  return {
    id: `export${pascal(path)}`,
    tag: path,
    access: 'organization',
    entityType: name,
    method: 'GET',
    path: `/${path}/export`,
    summary: `Export ${path}`,
    description:
      'All that fits, of any size, as CSV or JSON lines. One that cannot go on says so in a last line that is no data: JSON lines ' +
      'end with `{"problem": …}`, CSV with a row that has a cell too many, `(broken off)` in each, which no load takes. Each page is ' +
      'as it was when it was read.',
    query: ExportQuery,
    answer: ExportConfiguration,
    answerTypes: ['text/csv', 'application/x-ndjson'],
    status: 200,
    faults: ['conflict'],
  } as const satisfies Operation
}
