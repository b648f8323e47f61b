import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'

export async function benchPeers(_service: Runtime, _isQuick: boolean): Promise<Check[]> {
  return []
}
