// What a tab can take back: the last first, each once, and again where it failed by something that passes.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toasts } from '../../../src/clients/console/state/toasts.ts'
import { takeBackLast, tellUndoable } from '../../../src/clients/console/state/undo.ts'
import { ApiError } from '../../../src/clients/typescript/index.ts'

const refused = (status: number) => new ApiError({ status, code: 'x', message: 'No.', detail: 'No.', errors: [] })
const texts = () => toasts.value.map(({ text }) => text)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('what failed for now can be tried again; what is refused for good leaves the way to what was before it', async () => {
  const taken: string[] = []
  let status: number | undefined = 503
  tellUndoable('First.', async () => {
    taken.push('first')
  })
  tellUndoable('Second.', async () => {
    if (status !== undefined) throw refused(status)
    taken.push('second')
  })
  const undo = async () => {
    const isThere = takeBackLast()
    await vi.advanceTimersByTimeAsync(0)
    return isThere
  }
  await undo()
  expect(taken).toEqual([])
  expect(texts()).toEqual(['First.', 'Taking back failed: No.', 'Second.'])
  status = undefined
  await undo()
  expect(taken).toEqual(['second'])
  tellUndoable('Third.', async () => {
    throw refused(412)
  })
  await undo()
  await undo()
  expect(taken).toEqual(['second', 'first'])
  expect(await undo()).toBe(false)
})
