// The state of an organization, as text that is the same for two organizations to which the same happened: without ids and times.
import { env } from '../api.ts'

/** What is no state of its own: who repeats, how often somebody tried, what is read from the rest. */
const LEFT_OUT = [
  'idempotency',
  'idempotency_rows',
  'clocks',
  'audit',
  'attempts',
  'search_entities',
  'search_progress',
  'tickets',
  'tombstones',
]

let tables: string[] | undefined

async function tablesOfOrganizations(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`org_id`%'",
  ).all<{ name: string }>()
  return results.map(({ name }) => name).filter(name => !LEFT_OUT.includes(name))
}

const TIMES = /_on$|^(state|time|seq|touched_on|rowid|due_on|ends_on)$/
const SECRET = /^start$|digest|hash|sealed|prefix|first_characters|etag|checksum|upload_id|secret/

export async function stateOf(org: { id: string; slug: string }): Promise<string[]> {
  tables ??= await tablesOfOrganizations()
  const [own, ...rows] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare('SELECT * FROM orgs WHERE id = ? OR slug = ?').bind(org.id, org.slug),
    ...tables.map(name => env.DB.prepare(`SELECT * FROM ${name} WHERE org_id = ?`).bind(org.id)),
  ])
  const texts = rows.flatMap(({ results }, at) => results.map(row => `${tables?.[at]} ${textOf(row, org)}`))
  return [...(own?.results ?? []).map(row => `orgs ${textOf(row, org)}`), ...texts].sort()
}

function textOf(row: Record<string, unknown>, { slug }: { slug: string }): string {
  const kept = Object.entries(row).filter(([name]) => !TIMES.test(name) && !SECRET.test(name))
  return JSON.stringify(Object.fromEntries(kept))
    .replaceAll(slug, '<slug>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{16}(?![A-Za-z0-9_-])/g, '<id>')
    .replaceAll(/(until|firstSeq|lastSeq)\\":\d+/g, '$1')
    .replaceAll(/[a-z]+-[0-9a-f]{8}@/g, '<somebody>@')
    .replaceAll(/sha256:[0-9a-f]+|etag:\w+/g, '<digest>')
}

/** The entities that quotas count are those that there are. */
export async function isCountRight(orgId: string): Promise<boolean> {
  const row = await env.DB.prepare(
    `SELECT (SELECT entities FROM clocks WHERE org_id = ?1) AS counted, (SELECT count(*) FROM entities WHERE org_id = ?1
      AND kind NOT IN ('file', 'loader-process', 'revert-process', 'event-workflow-process', 'event-workflow-task')) AS there`,
  )
    .bind(orgId)
    .first<{ counted: number | null; there: number }>()
  return (row?.counted ?? 0) === row?.there
}

/** What has become of everything: of runs, tasks, loads and deliveries how they ended, not how often that took a try. */
export async function outcomeOf(org: { id: string; slug: string }): Promise<string[]> {
  const kinds = `'loader-process', 'revert-process', 'event-workflow-process', 'event-workflow-task'`
  const [processes, deliveries] = await env.DB.batch<Record<string, unknown>>([
    env.DB.prepare(
      `SELECT kind, status, data ->> '$.results' AS results, data ->> '$.output' AS output, data ->> '$.taskOutputs' AS outputs,
        data ->> '$.issues' AS issues FROM entities WHERE org_id = ? AND kind IN (${kinds})`,
    ).bind(org.id),
    env.DB.prepare('SELECT status, trigger_key, payload FROM deliveries WHERE org_id = ?').bind(org.id),
  ])
  const whole = (await stateOf(org)).filter(
    text =>
      !/^deliveries |"kind":"(loader-process|revert-process|event-workflow-process|event-workflow-task)"/.test(text),
  )
  const staged = await env.FILES.list({ prefix: `${org.id}/loads/` })
  return [
    ...whole,
    ...[...(processes?.results ?? []), ...(deliveries?.results ?? [])].map(row => textOf(row, org)),
    ...staged.objects.map(({ key }) => `left behind: ${key}`),
  ].sort()
}
