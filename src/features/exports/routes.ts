// Exports over HTTP: one route for each row of the table.
import { type Route, route } from '../../platform/http/operation.ts'
import { streamOf } from '../../platform/http/streamed.ts'
import type { Kind } from '../../platform/kind.ts'
import { exportEndpoint } from './contract.ts'
import { exportConfiguration, exportCsv, exportForLoad, exportLines } from './service.ts'

const CSV = { type: 'text/csv; charset=utf-8', extension: 'csv' }

const FORMATS = {
  csv: { ...CSV, texts: exportCsv },
  'csv-load': { ...CSV, texts: exportForLoad },
  jsonl: { type: 'application/x-ndjson', extension: 'jsonl', texts: exportLines },
}

export function exportRoutes(kinds: readonly Kind[]): Route[] {
  return kinds.map(kind =>
    route(exportEndpoint(kind), async (context, { query }) => {
      if (query.format === 'configuration') return { body: await exportConfiguration(context, kind, query) }
      const { type, extension, texts } = FORMATS[query.format]
      return new Response(streamOf(await texts(context, kind, query)), {
        headers: {
          'Content-Type': type,
          'Content-Disposition': `attachment; filename="${kind.path}.${extension}"`,
          'Cache-Control': 'no-store',
        },
      })
    }),
  )
}
