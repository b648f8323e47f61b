import { describe, expect, it } from 'vitest'
import { Turns } from '../../../src/features/auth/turns.ts'

const breath = () => new Promise<void>(resolve => setTimeout(resolve, 0))

describe('N61 turns', () => {
  it('come one at a time, in the order of asking, and leave the thread between two', async () => {
    const turns = new Turns(10, 10, breath)
    const seen: string[] = []
    const others = new Promise<void>(resolve => setTimeout(resolve, 0)).then(() => seen.push('somebody else'))
    await Promise.all(['a', 'b', 'c'].map(name => turns.take(name, () => seen.push(name))))
    await others
    expect(seen.filter(name => name !== 'somebody else')).toEqual(['a', 'b', 'c'])
    expect(seen.indexOf('somebody else')).toBeLessThan(3)
  })

  it('are refused where too many wait in all, or of one asker, and there is room again afterwards', async () => {
    const turns = new Turns(3, 2, breath)
    const asked = ['a', 'a', 'a', 'b', 'c'].map(name => turns.take(name, () => name))
    const made = (await Promise.all(asked)).map(answer => answer?.made)
    expect(made).toEqual(['a', undefined, undefined, 'b', 'c'])
    expect(await turns.take('c', () => 'c')).toEqual({ made: 'c' })
  })

  it('are taken from the longest queue, not refused to a newcomer, unless its own is as long', async () => {
    const turns = new Turns(4, 4, breath)
    const asked = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map(name => turns.take(name, () => name))
    const made = (await Promise.all(asked)).map(answer => answer?.made)
    expect(made).toEqual(['a', 'a', undefined, undefined, 'b', 'b', undefined])
  })

  it('go round among askers: a rush of one delays another by one turn', async () => {
    const turns = new Turns(10, 10, breath)
    const seen: string[] = []
    await Promise.all(['a', 'a', 'a', 'b', 'c'].map(name => turns.take(name, () => seen.push(name))))
    expect(seen).toEqual(['a', 'b', 'c', 'a', 'a'])
  })

  it('go on after one that fails', async () => {
    const turns = new Turns(2, 2, breath)
    const failing = turns.take('a', () => {
      throw new Error('no')
    })
    const next = turns.take('a', () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toEqual({ made: 'yes' })
    expect(await turns.take('a', () => 'again')).toEqual({ made: 'again' })
  })
})
