// N57: while a move follows what is written, it gets on with every step, however little time that has.
import { beforeEach, describe, expect, it } from 'vitest'
import { cleared, compared, copied, followed } from '../../../src/features/moves/live.ts'
import type { Notes } from '../../../src/features/moves/notes.ts'
import { Crossing } from '../../../src/features/moves/store/crossing.ts'
import { findMove, type MoveRow } from '../../../src/features/moves/store/moves.ts'
import { BETWEEN_ROWS } from '../../../src/features/moves/store/rows.ts'
import { type Moved, WHOLE } from '../../../src/features/moves/store/tables.ts'
import { MOVE_ROUND_STEPS_MAX } from '../../../src/platform/db/limits.ts'
import { fileParts } from '../../../src/platform/db/schema/files.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { begin, DATABASES, look, rowsOf, stepByHand, stepToEnd } from './moving.ts'

const WORK = { clearing: cleared, copying: copied, comparing: compared, following: followed }

beforeEach(stepByHand)

const standing = async (org: TestOrg) => (await findMove(env, org.id)) as MoveRow

/** One step of a phase in which everybody goes on writing. */
async function step(org: TestOrg, until: number, changed: Partial<Notes> = {}): Promise<MoveRow> {
  const move = await standing(org)
  const work = WORK[move.phase as keyof typeof WORK]
  const notes = { ...(JSON.parse(move.notes) as Notes), ...changed }
  await work({ env, move, notes, crossing: new Crossing(env, move), until })
  return standing(org)
}

async function following(): Promise<TestOrg> {
  const org = await newOrg()
  await org.post('/items', { name: 'first' })
  expect((await begin(org, 'DATA_01')).status).toBe(202)
  for (let { phase } = await standing(org); phase !== 'following'; ) ({ phase } = await step(org, Date.now() + 60_000))
  return org
}

const roundsOf = ({ notes }: MoveRow) => (JSON.parse(notes) as Notes).rounds

const items = (rows: string[]) => rows.filter(row => row.startsWith('entities '))

describe('a round of following (N57)', () => {
  it('ends, although each of its steps has no time left, and copies everything', async () => {
    const org = await following()
    for (const part of ['a', 'b', 'c']) {
      const many = Array.from({ length: 1000 }, (_, at) => ({ name: `${part} ${at}`, federatedId: `${part}-${at}` }))
      expect((await org.post('/items/batch', many)).status).toBe(201)
    }
    // More than a slice of each table, and nothing is written any more: what is left shrinks by every step.
    let ended = 0
    for (let steps = 0; steps < 60 && ended === 0; steps++) ended = roundsOf(await step(org, 0))
    expect(ended).toBe(1)
    const rows = items(await rowsOf('DB', org.id))
    expect(rows).toHaveLength(3001)
    expect(items(await rowsOf('DATA_01', org.id))).toEqual(rows)
    expect(await stepToEnd(org)).toMatchObject({ state: 'complete' })
  })

  it('takes away what an earlier try has left behind, however much it is', async () => {
    const org = await following()
    const numbers = JSON.stringify(Array.from({ length: 2 * BETWEEN_ROWS + 1 }, (_, at) => at))
    const left = `INSERT INTO file_parts (file_id, org_id, part_number, etag, size) SELECT 'f', ?, value, 'e', 1 FROM json_each(?)`
    await DATABASES.DATA_01?.prepare(left).bind(org.id, numbers).run()
    expect(await rowsOf('DATA_01', org.id)).not.toEqual(await rowsOf('DB', org.id))
    const parts = WHOLE.find(({ table }) => table === fileParts) as Moved
    await new Crossing(env, await standing(org)).whole(parts, () => true)
    expect(await rowsOf('DATA_01', org.id)).toEqual(await rowsOf('DB', org.id))
  })

  it('leaves what is written meanwhile to the next one', async () => {
    const org = await following()
    await org.post('/items', { name: 'second' })
    const { notes } = await step(org, 0)
    const { round } = JSON.parse(notes) as Notes
    const late = await org.post('/items', { name: 'late' })
    expect(late.status).toBe(201)
    let move = await standing(org)
    while (roundsOf(move) === 0) move = await step(org, 0)
    expect((JSON.parse(move.notes) as Notes).markTime).toBe(round?.clock.time)
    expect(await stepToEnd(org)).toMatchObject({ state: 'complete' })
    expect((await org.get(`/items/${late.body.id}`)).body.name).toBe('late')
  })

  it('is given up with the move where it takes very many steps', async () => {
    const org = await following()
    const { notes } = await step(org, 0)
    const { round } = JSON.parse(notes) as Notes
    if (!round) throw new Error('the round is over')
    await step(org, 0, { round: { ...round, steps: MOVE_ROUND_STEPS_MAX - 1 } })
    expect(await stepToEnd(org)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('faster than the copy'),
    })
    expect((await look(org)).body.state).toBe('failed')
    expect((await org.post('/items', { name: 'still here' })).status).toBe(201)
  })
})
