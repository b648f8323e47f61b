// What the API document says about files besides their contract; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

export const FILE_DESCRIPTIONS: Descriptions = {
  operations: { completeFile: 'Call it after the last part. The file is `ready` then, and its parts are gone.' },
  parameters: {
    createFile: { fileName: 'Name of the file. With it, the body is the content.' },
    putFilePart: { partNumber: 'Number of the part, from 1.' },
  },
  properties: {
    File: {
      status: '`pending` until the content is there, then `ready`.',
      uploadedOn: 'When the content was uploaded; null until then.',
    },
    FilePart: { partNumber: 'Number of the part, from 1.', size: 'Size of the part in bytes.' },
  },
}
