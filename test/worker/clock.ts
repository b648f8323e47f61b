// The clock that the service reads, held still: what depends on time then does not depend on how fast the machine is.
import { onTestFinished, vi } from 'vitest'

export interface Clock {
  forward(ms: number): void
}

export function holdClock(): Clock {
  let time = Date.now()
  const now = vi.spyOn(Date, 'now').mockImplementation(() => time)
  onTestFinished(() => now.mockRestore())
  return {
    forward: ms => {
      time += ms
    },
  }
}
