// The console that the tests of a file share: it starts before the first of them and stops after the last.
import { afterAll, beforeAll } from 'vitest'
import { Console } from './console.ts'

export function sharedConsole(): Console {
  const service = new Console()
  beforeAll(() => service.start())
  afterAll(() => service.stop())
  return service
}
