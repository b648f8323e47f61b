// What a `load` task asks of the loader: start a load. How it stands is read from its record.
import type { Context } from '../../platform/context.ts'

/** Undefined as long as the service has no loader. */
export const loads: {
  start?: (context: Context, configuration: Record<string, unknown>) => Promise<{ id: string }>
} = {}
