// Wire shapes and endpoints of files (N26).
import * as z from 'zod'
import type { Operation } from '../../platform/http/operation.ts'
import { UPLOAD_MAX_PARTS } from '../../platform/limits.ts'

const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine(name => !/[\p{Cc}/\\]/u.test(name), 'A file name holds no slashes and no control characters.')
const ContentType = z
  .string()
  .max(200)
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+="?[\w.+-]+"?)*$/, 'Expected a content type such as text/csv.')

export const CreateFile = z.strictObject({ fileName: FileName, contentType: ContentType.optional() })
export type CreateFile = z.infer<typeof CreateFile>

export const File = z
  .object({
    id: z.string(),
    fileName: z.string(),
    contentType: z.string(),
    status: z.enum(['pending', 'ready']),
    size: z.int().nullable(),
    checksum: z.string().nullable(),
    uploadedOn: z.iso.datetime().nullable(),
    uploadUrl: z.string().optional().describe('Where the content of a pending file goes, by PUT.'),
    createdOn: z.iso.datetime(),
    updatedOn: z.iso.datetime(),
  })
  .meta({ id: 'File' })

const common = { tag: 'files', access: 'organization', answer: File } as const

export const createFile = {
  ...common,
  method: 'POST',
  path: '/files',
  summary: 'Create: file',
  description:
    'With JSON `{fileName, contentType}` it makes a pending file whose content follows. With `?fileName=` the body is the ' +
    'content, whatever its type. A form with one file works up to 10 MB.',
  query: z.strictObject({ fileName: FileName.optional() }),
  rawBody: true,
  status: 201,
  faults: ['too_large', 'invalid_json', 'unsupported_media_type'],
} as const satisfies Operation

export const deleteFile = {
  tag: 'files',
  access: 'organization',
  method: 'DELETE',
  path: '/files/:id',
  summary: 'Delete: file, with its content',
  description: 'Takes `If-Match`. A file that a load has yet to read is in use.',
  status: 204,
  faults: ['not_found', 'in_use', 'precondition_failed'],
} as const satisfies Operation

export const putContent = {
  ...common,
  method: 'PUT',
  path: '/files/:id/content',
  summary: 'Upload the content of a pending file',
  rawBody: true,
  status: 200,
  faults: ['not_found', 'conflict', 'too_large'],
} as const satisfies Operation

export const getContent = {
  ...common,
  answer: z.unknown(),
  method: 'GET',
  path: '/files/:id/content',
  summary: 'Download the content of a file',
  description: 'Takes one `Range` and `If-None-Match`.',
  status: 200,
  faults: ['not_found', 'range_not_satisfiable'],
} as const satisfies Operation

export const PartAnswer = z.object({ partNumber: z.int(), size: z.int() })

export const putPart = {
  ...common,
  method: 'POST',
  path: '/files/:id/parts',
  summary: 'Upload one part of a large file',
  description: 'Every part holds 8 MiB, the last one up to that. Parts may come in any order and again.',
  query: z.strictObject({ partNumber: z.coerce.number().int().min(1).max(UPLOAD_MAX_PARTS) }),
  rawBody: true,
  answer: PartAnswer,
  status: 200,
  faults: ['not_found', 'conflict', 'too_large'],
} as const satisfies Operation

export const completeParts = {
  ...common,
  method: 'POST',
  path: '/files/:id/complete',
  summary: 'Put the parts of a large file together',
  keepsAnswer: true,
  status: 200,
  faults: ['not_found', 'conflict'],
} as const satisfies Operation
