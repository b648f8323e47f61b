// Backup and restore over HTTP.
import { invalid } from '../../platform/errors.ts'
import { requestBytes } from '../../platform/http/bounded-body.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import { RESTORE_PART_MAX_BYTES, UPLOAD_PART_BYTES } from '../../platform/limits.ts'
import { complete } from './complete.ts'
import { contentOf, takeContent } from './contents.ts'
import * as endpoint from './contract.ts'
import { exportOrganization } from './export.ts'
import { backupContent, listBackups } from './kept.ts'
import { backUpNow } from './nightly.ts'
import { abandon, begin, restoreNamed, shownRestore, takeRows } from './restore.ts'

const slugOf = (params: Record<string, string>) => params.slug ?? ''
const idOf = (params: Record<string, string>) => params.id ?? ''

export const backupRoutes: Route[] = [
  route(endpoint.exportOrg, async (context, { params, query }) => {
    const lines = await exportOrganization(context, slugOf(params), query)
    return new Response(lines, {
      headers: {
        'Content-Type': 'application/x-ndjson',
        'Content-Disposition': `attachment; filename="${slugOf(params)}.ndjson"`,
        'Cache-Control': 'no-store',
      },
    })
  }),
  route(endpoint.exportContent, async (context, { params, request }) => {
    const { status, headers, body } = await contentOf(context, slugOf(params), idOf(params), request.headers)
    return new Response(body, { status, headers })
  }),
  route(endpoint.beginRestore, async (context, { body }) => {
    const restore = await begin(context, body)
    return { body: restore, headers: { Location: `/api/operator/restores/${restore.id}` } }
  }),
  route(endpoint.getRestore, async (context, { params }) => ({
    body: shownRestore(await restoreNamed(context, idOf(params))),
  })),
  route(endpoint.putRestorePart, async (context, { params, query, request }) => {
    const part = partIn(params)
    const { fileId, piece = 1, isLast = 'true', isGone } = query
    const bytes = await requestBytes(request, fileId === undefined ? RESTORE_PART_MAX_BYTES : UPLOAD_PART_BYTES)
    const body =
      fileId === undefined
        ? await takeRows(context, idOf(params), part, textOf(bytes))
        : await takeContent(context, idOf(params), part, {
            fileId,
            number: piece,
            isLast: isLast === 'true',
            isGone: isGone === 'true',
            bytes,
          })
    return { body }
  }),
  route(endpoint.completeRestore, async (context, { params, body }) => ({
    body: await complete(context, idOf(params), body.slug),
  })),
  route(endpoint.listBackups, async (context, { query }) => ({ body: await listBackups(context, query) })),
  route(endpoint.backUpNow, async (context, { params }) => ({ body: await backUpNow(context, slugOf(params)) })),
  route(endpoint.getBackup, async (context, { params }) => {
    const { body, bytes, fileName } = await backupContent(context, params.organizationId ?? '', idOf(params))
    return new Response(body, {
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Length': String(bytes),
        'Content-Disposition': `attachment; filename="${fileName}"`,
        'Cache-Control': 'no-store',
      },
    })
  }),
  route(endpoint.deleteRestore, async (context, { params }) => {
    await abandon(context, idOf(params))
    return {}
  }),
]

function partIn({ part = '' }: Record<string, string>): number {
  if (/^\d{1,9}$/.test(part)) return Number(part)
  throw invalid([{ path: '/part', message: 'Parts are numbered from 0.' }])
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalid([{ path: '', message: 'The page is not UTF-8.' }])
  }
}
