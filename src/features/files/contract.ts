// Wire shapes and endpoints of files (N26).
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { named } from '../../platform/http/components.ts'
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
  .regex(
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ \t]*[\w-]+="?[\w.+-]+"?)*$/,
    'Expected a content type such as text/csv.',
  )

export const CreateFile = named(
  'CreateFile',
  z.strictObject({ fileName: FileName, contentType: ContentType.optional() }),
  { fileName: 'styles.csv', contentType: 'text/csv' },
)
export type CreateFile = z.infer<typeof CreateFile>

export const File = named(
  'File',
  z.looseObject({
    ...commonFields,
    fileName: z.string(),
    contentType: z.string(),
    status: z.enum(['pending', 'ready']),
    size: z.int().nullable(),
    checksum: z.string().nullable(),
    uploadedOn: z.iso.datetime().nullable(),
    uploadUrl: z.string().optional().describe('Where the content of a pending file goes, by PUT.'),
    contentId: z.string().optional().describe('Which upload the content came from.'),
  }),
  {
    ...commonExample,
    typePath: 'file',
    name: 'styles.csv',
    fileName: 'styles.csv',
    contentType: 'text/csv',
    status: 'ready',
    size: 1204,
    checksum: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    uploadedOn: '2026-03-02T09:30:00.000Z',
  },
)

const common = { tag: 'files', access: 'organization', answer: File } as const
const BYTES = { 'application/octet-stream': 'bytes' } as const

export const createFile = {
  id: 'createFile',
  ...common,
  method: 'POST',
  path: '/files',
  summary: 'Create: file',
  description:
    'With JSON `{fileName, contentType}` it makes a pending file whose content follows. With `?fileName=` the body is the ' +
    'content, of any type. A form with one file works up to 10 MB.',
  query: z.strictObject({ fileName: FileName.optional() }),
  rawBody: { 'application/json': CreateFile, 'multipart/form-data': 'form', 'application/octet-stream': 'bytes' },
  status: 201,
  sends: ['ETag', 'Location'],
} as const satisfies Operation

export const deleteFile = {
  id: 'deleteFile',
  tag: 'files',
  access: 'organization',
  method: 'DELETE',
  path: '/files/:id',
  summary: 'Delete: file, with its content',
  description:
    'A file that a load has yet to read is in use, and so are the members of the last publish of an assortment.',
  status: 204,
  conditions: ['If-Match'],
  faults: ['in_use'],
} as const satisfies Operation

export const putContent = {
  id: 'putFileContent',
  ...common,
  method: 'PUT',
  path: '/files/:id/content',
  summary: 'Upload the content of a pending file',
  description: 'The content is streamed as it comes, up to 100 MB. A file that has its content is 409.',
  rawBody: BYTES,
  status: 200,
  sends: ['ETag'],
  conditions: ['If-Match'],
  faults: ['conflict'],
} as const satisfies Operation

export const getContent = {
  id: 'getFileContent',
  tag: 'files',
  access: 'organization',
  method: 'GET',
  path: '/files/:id/content',
  summary: 'Download the content of a file',
  description: 'As an attachment, with the content type that it was uploaded with.',
  answerTypes: ['application/octet-stream'],
  status: 200,
  sends: ['ETag', 'Content-Disposition', 'Accept-Ranges'],
  conditions: ['If-None-Match', 'Range'],
} as const satisfies Operation

export const FilePart = named('FilePart', z.object({ partNumber: z.int(), size: z.int() }))

export const putPart = {
  id: 'putFilePart',
  ...common,
  method: 'POST',
  path: '/files/:id/parts',
  summary: 'Upload one part of a large file',
  description: 'Every part holds 8 MiB, the last one up to that. Parts may come in any order and again.',
  query: z.strictObject({ partNumber: z.coerce.number().int().min(1).max(UPLOAD_MAX_PARTS) }),
  rawBody: BYTES,
  answer: FilePart,
  status: 200,
  faults: ['conflict'],
} as const satisfies Operation

export const completeParts = {
  id: 'completeFile',
  ...common,
  method: 'POST',
  path: '/files/:id/complete',
  summary: 'Put the parts of a large file together',
  keepsAnswer: true,
  status: 200,
  sends: ['ETag'],
  faults: ['conflict'],
} as const satisfies Operation
