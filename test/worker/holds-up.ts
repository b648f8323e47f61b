// Whether an organization keeps others waiting, said by the test: which others there are, and how fast the machine is, then does not matter.
import { onTestFinished, vi } from 'vitest'
import * as company from '../../src/platform/company/company.ts'

export function holdsUpOthers(isSo: boolean): void {
  const spy = vi.spyOn(company, 'holdsUpOthers').mockReturnValue(isSo)
  onTestFinished(() => spy.mockRestore())
}
