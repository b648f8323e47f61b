// How much tasks may put out: each of them, and all of a run together.
import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../../../src/platform/json-size.ts'
import { PROCESS_OUTPUTS_MAX_BYTES, TASK_OUTPUT_MAX_BYTES } from '../../../src/platform/limits.ts'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { callBack, type Found, processesOf, processWith, request, tasksOf } from './runs.ts'

/** A text of as many letters as the event says. */
const text = (name: string) => ({
  name,
  action: 'expression',
  config: { output: { t: `'x'.repeat({event.${name}})` } },
})
const waiting = (name: string) => ({ name, action: 'wait', async: true })

const workflow = (org: TestOrg, tasks: unknown[]) =>
  org.make('/event-workflows', { triggerKey: 'go', paths: [{ tasks }] })

async function run(org: TestOrg, tasks: unknown[], event: Json): Promise<{ process: Found; tasks: Found[] }> {
  const { id } = await workflow(org, tasks)
  await request(org, 'go', event)
  const [process] = await eventually(
    () => processesOf(org, id),
    found => ['complete', 'failed'].includes(String(found[0]?.status)),
  )
  if (!process) throw new Error('no run')
  return { process, tasks: await tasksOf(org, process.id) }
}

const statuses = (tasks: Found[]) => tasks.map(task => task.status)

describe('N43 the output of a task', () => {
  const room = TASK_OUTPUT_MAX_BYTES - jsonBytes({ t: '' })

  it('may be as large as the limit says', async () => {
    const { process, tasks } = await run(await newOrg(), [text('a')], { a: room })
    expect(process.status).toBe('complete')
    expect(jsonBytes(tasks[0]?.output)).toBe(TASK_OUTPUT_MAX_BYTES)
  })

  it('fails the task with one byte more, and what comes after is skipped', async () => {
    const { process, tasks } = await run(await newOrg(), [text('a'), text('b')], { a: room + 1, b: 1 })
    expect(process.status).toBe('failed')
    expect(statuses(tasks)).toEqual(['failed', 'skipped'])
    expect(tasks[0]).toMatchObject({ output: {}, logs: [expect.stringContaining(`${TASK_OUTPUT_MAX_BYTES} bytes`)] })
  })

  it('is the entity in brief where the entity holds more', async () => {
    const org = await newOrg()
    const large = await org.make('/items', { name: 'large', federatedId: 'L', t: 'x'.repeat(TASK_OUTPUT_MAX_BYTES) })
    const small = await org.make('/items', { name: 'small', t: 'x' })
    const config = (id: string) => ({ operation: 'get', entityName: 'item', id })
    const { tasks } = await run(
      org,
      [large, small].map(({ id, name }) => ({ name, action: 'entity', config: config(id) })),
      {},
    )
    const { id, typePath, name, federatedId, version } = large
    expect(tasks.map(task => task.output)).toEqual([
      { id, typePath, name, federatedId, version, truncated: true },
      small,
    ])
  })
})

describe('N43 the outputs of a run', () => {
  const first = { a: 100_000, b: 100_000 }
  const outputs = (c: string) => ({ a: { t: 'x'.repeat(first.a) }, b: { t: 'x'.repeat(first.b) }, c: { t: c } })
  const room = PROCESS_OUTPUTS_MAX_BYTES - jsonBytes(outputs(''))

  it('may be as large as the limit says', async () => {
    const { process } = await run(await newOrg(), ['a', 'b', 'c'].map(text), { ...first, c: room })
    expect(process.status).toBe('complete')
    expect(jsonBytes(process.taskOutputs)).toBe(PROCESS_OUTPUTS_MAX_BYTES)
  })

  it('fail the task that puts out one byte more', async () => {
    const { process, tasks } = await run(await newOrg(), ['a', 'b', 'c', 'd'].map(text), {
      ...first,
      c: room + 1,
      d: 1,
    })
    expect(process).toMatchObject({ status: 'failed' })
    expect(statuses(tasks)).toEqual(['complete', 'complete', 'failed', 'skipped'])
    expect(String(tasks[2]?.logs)).toContain(`${PROCESS_OUTPUTS_MAX_BYTES} bytes`)
  })

  it('fail the run where a callback brought one byte more, and only then', async () => {
    for (const [more, after, status] of [
      [0, [], 'complete'],
      [1, [text('d')], 'failed'],
    ] as const) {
      const org = await newOrg()
      await workflow(org, [text('a'), text('b'), waiting('c'), ...after])
      const [begun] = await request(org, 'go', { ...first, d: 1 })
      const { id } = await processWith(org, begun?.id ?? '', 'awaiting')
      const taskId = (await tasksOf(org, id))[2]?.id ?? ''
      const output = { t: 'x'.repeat(room + more) }
      expect((await callBack(org, { taskId, status: 'SUCCESS', output })).status).toBe(200)
      const ended = await processWith(org, id, status)
      expect(ended.error).toEqual(more ? expect.objectContaining({ code: 'too_large' }) : undefined)
      expect(statuses(await tasksOf(org, id)).slice(3)).toEqual(after.map(() => 'skipped'))
    }
  })
})
