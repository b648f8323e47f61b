import { describe, expect, it } from 'vitest'
import { fetchWorker, type Json, newOrg, recordsOf, type TestOrg } from '../api.ts'
import { eventually, nothingLeft } from '../eventually.ts'
import { type Found, processesOf, processWith, request, tasksOf } from './runs.ts'

async function upload(org: TestOrg, text: string): Promise<string> {
  const headers = { ...org.headers, 'Content-Type': 'text/csv' }
  const response = await fetchWorker('/api/files?fileName=colors.csv', { method: 'POST', headers, body: text })
  return ((await response.json()) as { id: string }).id
}

const config = {
  loadType: ['COLOR'],
  fileLocation: '{event.fileId}',
  conditionalColumns: [{ toProperty: 'name', default: '{federatedId}-{shade}' }],
}

function loadingWorkflow(org: TestOrg) {
  return org.make('/event-workflows', {
    triggerKey: 'go',
    paths: [
      {
        tasks: [
          { name: 'load', action: 'load', config },
          { name: 'after', action: 'expression', config: { output: { load: '{taskOutputs.load.loaderProcessId}' } } },
        ],
      },
    ],
  })
}

describe('the load action', () => {
  it('N35 starts a load, waits for it and hands its results on; conditional columns stay the loader’s', async () => {
    const org = await newOrg()
    await loadingWorkflow(org)
    const [process] = await request(org, 'go', { fileId: await upload(org, 'federatedId,shade\nc1,dark\nc2,light\n') })
    const { taskOutputs } = await processWith(org, process?.id ?? '', 'complete')
    const { load, after } = taskOutputs as Record<string, Json>
    expect(load?.results).toMatchObject({ color: { created: 2 } })
    expect(after?.load).toBe(load?.loaderProcessId)
    const colors = (await org.get('/colors')).body.results ?? []
    expect(colors.map(color => color.name).sort()).toEqual(['c1-dark', 'c2-light'])
    expect(await recordsOf(String(colors[0]?.id))).toHaveLength(1)
  })

  it('N35 fails where the load is refused, and where it fails', async () => {
    const org = await newOrg()
    await loadingWorkflow(org)
    const [refused] = await request(org, 'go', { fileId: 'no such file' })
    await processWith(org, refused?.id ?? '', 'failed')
    const [task] = await tasksOf(org, refused?.id ?? '')
    expect(String(task?.logs)).toContain('There is no file with the id "no such file"')
    const [failing] = await request(org, 'go', { fileId: await upload(org, 'a,b\n1\n') })
    await processWith(org, failing?.id ?? '', 'failed')
    expect(String((await tasksOf(org, failing?.id ?? ''))[0]?.logs)).toMatch(/Load \S+ is failed/)
  })

  it('N36 a load starts no workflow that did not ask for loads', async () => {
    const org = await newOrg()
    const tasks = [{ name: 'note', action: 'wait' }]
    const plain = await org.make('/event-workflows', { triggerKey: 'color|create', paths: [{ tasks }] })
    const asking = await org.make('/event-workflows', {
      triggerKey: 'color|create',
      includeLoads: true,
      paths: [{ tasks }],
    })
    const rows = Array.from({ length: 120 }, (_, n) => `c${n},x${n}`).join('\n')
    const started = await org.post('/loader-processes', {
      loadType: ['COLOR'],
      fileLocation: await upload(org, `federatedId,name\n${rows}\n`),
    })
    expect(started.status).toBe(202)
    const count = async (id: string) => {
      const { body } = await org.get('/event-workflow-processes', { criteria: { eventWorkflowId: id }, limit: 1000 })
      return body.results as Found[]
    }
    await eventually(
      () => count(asking.id),
      found => found.length === 120 && found.every(process => process.status === 'complete'),
    )
    await nothingLeft(org)
    expect(await processesOf(org, plain.id)).toEqual([])
  })

  it('N36 a chain that goes through loads ends at depth 5, too', async () => {
    const org = await newOrg()
    const fileLocation = await upload(org, 'shade\ndark\n')
    const federatedMappings = { federatedId: '{newData.federatedId}-x', name: 'made' }
    const load = { loadType: ['COLOR'], fileLocation, federatedMappings }
    const { id } = await org.make('/event-workflows', {
      triggerKey: 'color|create',
      includeLoads: true,
      paths: [{ tasks: [{ name: 'load', action: 'load', config: load }] }],
    })
    await org.make('/colors', { federatedId: 'c' })
    const found = await eventually(
      () => processesOf(org, id),
      processes => processes.some(process => process.status === 'failed'),
    )
    expect(found.map(process => process.depth)).toEqual([1, 2, 3, 4, 5, 6])
    expect(found.at(-1)).toMatchObject({ error: { code: 'workflow_loop' } })
    await nothingLeft(org)
    expect(await processesOf(org, id)).toHaveLength(6)
  })
})
