// Exports over HTTP: one route for each row of the table.
import { type Route, route } from '../../../platform/http/operation.ts'
import { streamOf } from '../../../platform/http/streamed.ts'
import type { Kind } from '../../../platform/kind.ts'
import { exportEndpoint } from './contract.ts'
import { exportConfiguration, exportCsv, exportLines } from './exports.ts'

export function exportRoutes(kinds: readonly Kind[]): Route[] {
  return kinds.map(kind =>
    route(exportEndpoint(kind), async (context, { query }) => {
      if (query.format === 'configuration') return { body: await exportConfiguration(context, kind, query) }
      const isCsv = query.format === 'csv'
      const texts = await (isCsv ? exportCsv : exportLines)(context, kind, query)
      return new Response(streamOf(texts), {
        headers: {
          'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
          'Content-Disposition': `attachment; filename="${kind.path}.${query.format}"`,
          'Cache-Control': 'no-store',
        },
      })
    }),
  )
}
