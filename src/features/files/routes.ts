// Files over HTTP: what kind of body came in, then the verb.
import type { Context } from '../../platform/context.ts'
import type { Entity } from '../../platform/db/row.ts'
import { errorsOf, Fault, invalid } from '../../platform/errors.ts'
import { requestBytes } from '../../platform/http/bounded-body.ts'
import { one, versionsIn } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import { isJson, readJson } from '../../platform/http/valid.ts'
import { BODY_MAX_BYTES, UPLOAD_FORM_MAX_BYTES } from '../../platform/limits.ts'
import * as endpoint from './contract.ts'
import { deleteFile } from './delete.ts'
import { download } from './download.ts'
import * as parts from './parts.ts'
import * as files from './service.ts'

export const fileRoutes: Route[] = [
  route(endpoint.createFile, async (context, { query, request }) => {
    const file = await create(context, query.fileName, request)
    return one(file, { Location: `/api/files/${file.id}` })
  }),
  route(endpoint.deleteFile, async (context, { params, request }) => {
    await deleteFile(context, params.id ?? '', versionsIn(request))
    return {}
  }),
  route(endpoint.putContent, async (context, { params, request }) =>
    one(await files.putContent(context, params.id ?? '', request.body, versionsIn(request))),
  ),
  route(endpoint.getContent, async (context, { params, request }) => {
    const { status, headers, body } = await download(context, params.id ?? '', request.headers)
    return new Response(body, { status, headers })
  }),
  route(endpoint.putPart, async (context, { params, query, request }) => ({
    body: await parts.putPart(context, params.id ?? '', query.partNumber, request),
  })),
  route(endpoint.completeParts, async (context, { params }) =>
    one(await parts.completeParts(context, params.id ?? '')),
  ),
]

function create(context: Context, fileName: string | undefined, request: Request): Promise<Entity> {
  const contentType = request.headers.get('Content-Type') ?? undefined
  if (fileName !== undefined) return files.upload(context, { fileName, ...checkedType(contentType) }, request.body)
  if (contentType?.startsWith('multipart/form-data')) return createFromForm(context, request)
  return createFromJson(context, request)
}

function checkedType(contentType: string | undefined): { contentType?: string } {
  const read = endpoint.CreateFile.shape.contentType.safeParse(contentType)
  return read.success && read.data !== undefined ? { contentType: read.data } : {}
}

async function createFromJson(context: Context, request: Request): Promise<Entity> {
  if (!isJson(request)) {
    throw new Fault('unsupported_media_type', 'Send JSON with fileName, a form, or the content itself with ?fileName=.')
  }
  const { value } = readJson(request, await requestBytes(request, BODY_MAX_BYTES))
  const body = endpoint.CreateFile.safeParse(value)
  if (!body.success) throw invalid(errorsOf(body.error.issues))
  return files.createPending(context, body.data)
}

/** A form is held in memory as a whole, so it may be small only. */
async function createFromForm(context: Context, request: Request): Promise<Entity> {
  const bytes = await requestBytes(request, UPLOAD_FORM_MAX_BYTES)
  const type = request.headers.get('Content-Type') ?? ''
  const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => {
    throw invalid([{ path: '', message: 'The form cannot be read.' }])
  })
  const parts = [...form.values()].filter(value => typeof value !== 'string')
  const [part] = parts
  if (!part || parts.length > 1) throw invalid([{ path: '', message: 'The form must hold exactly one file.' }])
  const body = endpoint.CreateFile.safeParse({ fileName: part.name, ...checkedType(part.type) })
  if (!body.success) throw invalid(errorsOf(body.error.issues))
  return files.upload(context, body.data, part.stream())
}
