// What a `load` task asks of the loader: start a load under an id, with a statement that keeps it from being started twice.
// How a load stands is read from its record.
import type { Context } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'

export interface LoadPort {
  start(context: Context, id: string, configuration: Record<string, unknown>, before: Statement[]): Promise<void>
}

/** Undefined as long as the deployment has no loader. */
export const loads: { port?: LoadPort } = {}
