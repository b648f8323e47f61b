// Files, loads, workflows, tasks and callbacks through the client, against the real service.

import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, LoadError, Operator, sendCallback } from '../../../src/clients/typescript/index.ts'
import { fakeServer } from '../fake-server.ts'
import { newOrg, type Service } from './start.ts'

const MIB = 1024 * 1024
/** Ends what hangs; nothing is measured by it. */
const PATIENCE_MS = 100_000

export function work(started: () => Service): void {
  let client: Client
  beforeAll(async () => {
    client = await newOrg(started(), 'work')
  })

  describe('files', () => {
    it.each([
      ['nothing', 0],
      ['a little', 1000],
      ['parts', 33 * MIB],
    ])('uploads %s and gets it back', async (_what, size) => {
      const content = Uint8Array.from({ length: size }, (_, at) => at % 251)
      const file = await client.files.upload({ content, fileName: 'some.bin' })
      expect(file).toMatchObject({ status: 'ready', size, fileName: 'some.bin' })
      const back = await client.files.download({ id: file.id })
      expect(Buffer.from(await back.arrayBuffer()).equals(content)).toBe(true)
    })

    it('cuts a stream into parts, and reads a range', async () => {
      const piece = new Uint8Array(3 * MIB).fill(7)
      const pieces = async function* () {
        for (let n = 0; n < 4; n++) yield piece
        yield new TextEncoder().encode('the end')
      }
      const file = await client.files.upload({ content: pieces(), fileName: 'stream.bin' })
      expect(file.size).toBe(12 * MIB + 7)
      const end = await client.files.download({ id: file.id, range: `bytes=${12 * MIB}-` })
      expect([end.status, await end.text()]).toEqual([206, 'the end'])
      expect((await client.files.get({ id: file.id })).checksum).toBeTruthy()
    })
  })

  describe('loads', () => {
    const config = { loadType: ['COLOR'], federatedMappings: { federatedId: 'Code', name: 'Title' } } as const
    const csv = (content: string) => ({ content, fileName: 'colors.csv', contentType: 'text/csv' })

    it('runs to the end with progress, and again without a change', async () => {
      const rows = Array.from({ length: 3000 }, (_, n) => `load-${n},Load ${n}`)
      const file = csv(['Code,Title', ...rows].join('\n'))
      const percents: number[] = []
      const first = await client.loads.run({ config, file, onProgress: each => percents.push(each.progress.percent) })
      expect(first).toMatchObject({ status: 'completed', results: { color: { created: 3000, updated: 0 } } })
      expect(percents.at(-1)).toBe(100)
      expect([...percents].sort((a, b) => a - b)).toEqual(percents)
      const again = await client.loads.run({ config, file })
      expect(again.results).toMatchObject({ color: { created: 0, unchanged: 3000 } })
    }, 60_000)

    it('fails with the issues of the file and writes nothing', async () => {
      const error = await client.loads
        .run({ config, file: csv('Code,Title\nok,Fine\n,\nok,Twice\n') })
        .catch(reason => reason)
      expect(error).toBeInstanceOf(LoadError)
      expect(error.process).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
      expect(error.issues.map((each: { rowNumber: number }) => each.rowNumber)).toContain(4)
      const found = await client.entities.list({
        entityName: 'color',
        queryParams: { criteria: { federatedId: 'ok' } },
      })
      expect(found.results).toEqual([])
    })

    it('refuses a wrong configuration at the start, every fault at once', async () => {
      const bad = { loadType: ['COLOR', 'ITEM'], fileLocation: 'none', dryRun: 'yes' } as unknown as typeof config
      await expect(client.loads.start({ config: bad })).rejects.toMatchObject({ status: 400 })
    })
  })

  describe('workflows and tasks', () => {
    it('starts a run, calls its waiting task back, and sees it complete', async () => {
      const tasks = [
        { name: 'note', action: 'expression', config: { output: { region: '{event.region}' } } },
        { name: 'approve', action: 'wait', async: true },
      ]
      const object = { name: 'Approval', triggerKey: 'approval', isActive: true, paths: [{ tasks }] }
      await client.entities.create({ entityName: 'event-workflow', object })
      const { results } = await client.workflows.request({ triggerKey: 'approval', event: { region: 'eu' } })
      const id = results[0]?.id ?? ''
      await expect
        .poll(async () => (await client.workflows.getProcess({ id })).status, { timeout: PATIENCE_MS })
        .toBe('awaiting')
      const criteria = { processId: id, status: 'awaiting' }
      const waiting = (await client.tasks.list({ queryParams: { criteria } })).results[0]
      const taskId = waiting?.id ?? ''
      await client.tasks.setSubtext({ id: taskId, subtext: 'on the desk' })
      expect((await client.workflows.getProcess({ id })).subtext).toBe('on the desk')
      const answer = { taskId, status: 'SUCCESS', logs: ['one', 'two'], output: { by: 'me' } } as const
      expect((await client.tasks.callback(answer)).status).toBe('complete')
      expect((await client.tasks.callback(answer)).logs).toHaveLength(2)
      await expect(client.tasks.callback({ taskId, status: 'FAILURE' })).rejects.toMatchObject({ status: 409 })
      const run = await client.workflows.wait({ id })
      expect(run).toMatchObject({ status: 'complete', taskOutputs: { note: { region: 'eu' }, approve: { by: 'me' } } })
    })

    it('hands an outside system a token with which it calls back (N39)', async () => {
      const outside = await fakeServer(() => ({ json: { accepted: true } }))
      const operator = new Operator(started().operator)
      const auth = { kind: 'header', name: 'X-Key', value: 'secret of the test' } as const
      const url = outside.baseUrl.replace('/api', '/jobs')
      await operator.endpoints.set({ slug: 'work', name: 'renderer', endpoint: { url, auth } })
      expect((await operator.endpoints.get({ slug: 'work', name: 'renderer' })).auth.value).not.toBe(auth.value)
      const tasks = [{ name: 'render', action: 'http', async: true, config: { endpoint: 'renderer' } }]
      const object = { name: 'Render', triggerKey: 'render', isActive: true, paths: [{ tasks }] }
      await client.entities.create({ entityName: 'event-workflow', object })
      const { results } = await client.workflows.request({ triggerKey: 'render' })
      await expect.poll(() => outside.asked.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
      const call = outside.asked[0]
      expect(call?.headers['x-key']).toBe('secret of the test')
      const handed = call?.json as { taskId: string; callbackUrl: string; callbackToken: string }
      await sendCallback({ ...handed, status: 'SUCCESS', output: { images: 4 } })
      const run = await client.workflows.wait({ id: results[0]?.id ?? '' })
      expect(run).toMatchObject({ status: 'complete', taskOutputs: { render: { images: 4 } } })
    })

    it('makes a webhook whose address starts workflows', async () => {
      const webhook = await client.workflows.createWebhook({ name: 'shop' })
      expect(webhook.triggerKey).toBe(`webhookId:${webhook.id}`)
      const tasks = [{ name: 'seen', action: 'expression', config: { output: { sku: '{event.body.sku}' } } }]
      const object = { name: 'Shop', triggerKey: webhook.triggerKey, isActive: true, paths: [{ tasks }] }
      await client.entities.create({ entityName: 'event-workflow', object })
      const answer = await fetch(webhook.triggerUrl, { method: 'POST', body: JSON.stringify({ sku: 'LS-1' }) })
      expect(answer.status).toBe(202)
    })
  })

  describe('assortments', () => {
    it('publishes by hand and tells what the publish changed', async () => {
      const project = await client.entities.create({ entityName: 'project', object: { name: 'SS27' } })
      const workspace = await client.entities.create({
        entityName: 'workspace',
        object: { name: 'SS27', identifier: 'ss27', projectId: project.id },
      })
      const assortment = await client.entities.create({
        entityName: 'assortment',
        object: { name: 'Europe', identifier: 'europe', workspaceId: workspace.id },
      })
      const item = await client.entities.create({ entityName: 'item', object: { name: 'Member' } })
      const member = { itemId: item.id, assortmentId: assortment.id }
      await client.entities.create({ entityName: 'assortment-item', object: member })
      const published = await client.assortments.publish({ id: assortment.id })
      expect(published.detail.adds).toBe(1)
      const record = await client.assortments.publishRecord({ id: assortment.id, changeId: published.id })
      expect(record).toEqual(published)
    })
  })
}
