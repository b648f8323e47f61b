// Loads that were under way when another release was deployed (N34): what the first release has stored is read, or the load fails and
// says why. It never stands in the way of the next one.
import { describe, expect, it } from 'vitest'
import { env, newOrg, type TestOrg } from '../api.ts'
import { all, ended, holdLoads, type Load, load, start, text, workOnLoads } from './loading.ts'

const CSV = 'itemFamilyFederatedId,name\nF1,One\nF2,Two\n'

type Stored = Record<string, unknown>

/** As the first release stored it: no stamp of types, no key of the content, other names for how far a phase has come. */
function firstRelease(fileLocation: unknown, more: Stored): Stored {
  return {
    configuration: { loadType: ['ITEM'], fileLocation },
    fileSize: CSV.length,
    phase: 'opening',
    projectId: null,
    targets: [],
    header: null,
    start: 0,
    line: 1,
    rows: 0,
    chunks: 0,
    said: [],
    typePathSeen: null,
    stepWarnings: [0, 0, 0, 0, 0, 0],
    errors: 0,
    warnings: 0,
    issues: [],
    issueChunks: [],
    inherits: false,
    chunk: 0,
    unit: 0,
    rowsWritten: 0,
    results: {},
    unrecorded: 0,
    assortments: [],
    baselines: {},
    at: 0,
    after: '',
    failureArea: 'NONE',
    outcome: null,
    isReadable: true,
    issuesFileId: null,
    annotatedFileId: null,
    publishIds: [],
    startedOn: null,
    endedOn: null,
    ...more,
  }
}

const HEADER = {
  dialect: { delimiter: ',', lineBreak: '\n' },
  names: ['itemFamilyFederatedId', 'name'],
  line: 1,
  end: 27,
  nextLine: 2,
}
const READ = { header: HEADER, start: CSV.length, line: 4, rows: 2, chunks: 1, startedOn: '2026-01-01T00:00:00.000Z' }

/** A load that the first release has brought so far, and this one goes on with. */
async function goneOn(org: TestOrg, more: Stored): Promise<Load> {
  const letGo = holdLoads()
  const { id, fileLocation } = await start(org, CSV, { loadType: ['ITEM'] })
  if (more.issueChunks) {
    const issue = { rowNumber: 2, columnName: 'name', message: 'Old.', issueType: 'INVALID_DATA', severity: 'error' }
    await env.FILES.put(`${org.id}/loads/${id}/issues-1`, JSON.stringify([issue]))
  }
  const state = firstRelease(fileLocation, more)
  const { results, failureArea } = state
  const shown = { status: 'running', progress: { percent: 40 }, results, failureArea }
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO loads (id, org_id, step, attempts, is_cancelled, state, touched_on)
        SELECT id, org_id, step, attempts, 0, ?, 0 FROM jobs WHERE id = ?`,
    ).bind(JSON.stringify(state), id),
    env.DB.prepare('DELETE FROM jobs WHERE id = ?').bind(id),
    env.DB.prepare('UPDATE entities SET data = json_patch(data, ?) WHERE id = ?').bind(JSON.stringify(shown), id),
  ])
  letGo()
  await workOnLoads(env, org.id)
  return ended(org, id)
}

describe('a load that the first release has begun (N34)', () => {
  it('runs where it had only been accepted', async () => {
    const org = await newOrg()
    expect(await goneOn(org, {})).toMatchObject({ status: 'completed', results: { item: { created: 2 } } })
  })

  it.each([
    ['validating', 'VALIDATING_DATA', { ...READ, start: 33, rows: 1, line: 3 }],
    ['recalling', 'TRANSFORMING_DATA', READ],
    ['writing', 'TRANSFORMING_DATA', { ...READ, unit: 1 }],
    ['spreading', 'TRANSFORMING_DATA', { ...READ, chunk: 1, rowsWritten: 2 }],
    ['removing', 'TRANSFORMING_DATA', { ...READ, chunk: 1, rowsWritten: 2, at: 1 }],
    ['publishing', 'TRANSFORMING_DATA', { ...READ, chunk: 1, rowsWritten: 2 }],
  ])('fails in the phase %s, keeps its counts, and the file can be loaded again', async (phase, failureArea, more) => {
    const org = await newOrg()
    const results = { item: { created: 1, updated: 0, unchanged: 0, removed: 0 } }
    const failed = await goneOn(org, { ...more, phase, results })
    expect(failed).toMatchObject({ status: 'failed', failureArea, results, progress: { phase: 'done' } })
    expect(failed.issues).toHaveLength(1)
    expect(failed.issues[0]?.message).toMatch(/service was updated while this load ran.* load the file again/)
    expect(await all(org, '/items')).toEqual([])
    expect(await load(org, CSV)).toMatchObject({ status: 'completed', results: { item: { created: 2 } } })
  })

  it('ends as it would have where only its reports were to come, with the issues that it had put away', async () => {
    const org = await newOrg()
    const over = { phase: 'reporting', outcome: 'failed', failureArea: 'VALIDATING_DATA', errors: 1, issueChunks: [1] }
    const failed = await goneOn(org, { ...READ, ...over })
    expect(failed).toMatchObject({ status: 'failed', failureArea: 'VALIDATING_DATA' })
    expect(await text(org, failed.issuesFileId)).toContain('2,name,INVALID_DATA,error,Old.')
    expect(await text(org, failed.annotatedFileId)).toContain('2,error: name: Old.,F1,One')
  })
})
