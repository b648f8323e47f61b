// What something inside the service has made up, such as a task of a workflow, is held against the same shapes as what comes
// over the wire (N65). Pure.
import type { Properties } from '../../platform/db/commit/write.ts'
import { errorsOf, invalid } from '../../platform/errors.ts'
import { hostileParts } from '../../platform/json-safety.ts'
import type { Kind } from '../../platform/kind.ts'
import { shapes } from './shapes.ts'

export function checkedBody(kind: Kind, operation: 'create' | 'update', made: unknown): Properties {
  const value: unknown = JSON.parse(JSON.stringify(made))
  const hostile = hostileParts(value)
  if (hostile.length) throw invalid(hostile)
  const body = shapes(kind)[operation].safeParse(value)
  if (!body.success) throw invalid(errorsOf(body.error.issues))
  return body.data
}
