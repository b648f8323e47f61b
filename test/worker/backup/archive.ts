// Takes an organization out and brings it back over HTTP, as the command line does.
import { digestOf } from '../../../src/platform/digest.ts'
import { type Answer, call, env, fetchWorker, type Json, OPERATOR_KEY, operator, type TestOrg } from '../api.ts'

const headers = { 'X-Operator-Key': OPERATOR_KEY }

export interface Archive {
  /** Pages of lines, each with its mark. */
  pages: string[]
  /** By the number of the page that tells of the file. */
  contents: Map<number, { id: string; bytes: ArrayBuffer }[]>
}

export const linesOf = (page: string) =>
  page
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Json)

const markOf = (page: string) => linesOf(page).at(-1) as Json & { after: string | null; digest: string }

/** The answer of one call, page by page. */
export async function exportCall(slug: string, query: Record<string, string> = {}): Promise<string[]> {
  const response = await fetchWorker(`/api/operator/orgs/${slug}/export?${new URLSearchParams(query)}`, { headers })
  const text = new TextDecoder().decode(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(text)
  return text.match(/(?:[^\n]*\n)*?\{"table":"mark"[^\n]*\n/g) ?? []
}

export async function takeArchive(
  slug: string,
  secrets = 'open',
  between: (pages: readonly string[]) => Promise<unknown> = async () => {},
): Promise<Archive> {
  const archive: Archive = { pages: [], contents: new Map() }
  for (let after: string | null | undefined; after !== null; ) {
    for (const page of await exportCall(slug, { secrets, ...(after !== undefined && { after }) })) {
      archive.contents.set(archive.pages.length, await contentsOf(slug, page))
      archive.pages.push(page)
      after = markOf(page).after
    }
    await between(archive.pages)
  }
  return archive
}

async function contentsOf(slug: string, page: string) {
  const files = linesOf(page).filter(line => line.kind === 'file' && String(line.data).includes('"status":"ready"'))
  return Promise.all(
    files.map(async ({ id }) => {
      const response = await fetchWorker(`/api/operator/orgs/${slug}/export/files/${id}`, { headers })
      return { id: String(id), bytes: await response.arrayBuffer() }
    }),
  )
}

/** The archive with other lines, its digests made anew. */
export async function forged(archive: Archive, change: (line: Json) => Json): Promise<Archive> {
  let digest = ''
  const pages: string[] = []
  for (const page of archive.pages) {
    const lines = linesOf(page).map(line => (line.table === 'mark' ? line : change(line)))
    const text = lines.slice(0, -1).map(line => `${JSON.stringify(line)}\n`)
    digest = await digestOf(`${digest}\n${text.join('')}`)
    pages.push(`${text.join('')}${JSON.stringify({ ...lines.at(-1), digest })}\n`)
  }
  return { ...archive, pages }
}

export function begin(archive: Archive, more: Json = {}): Promise<Answer<Json & { id: string; nextPart: number }>> {
  const last = linesOf(archive.pages.at(-1) ?? '')
  return operator('POST', '/restores', { end: last.at(-2), digest: last.at(-1)?.digest, ...more })
}

export interface Part {
  query: string
  body: string | ArrayBuffer
}

export function partsOf({ pages, contents }: Archive): Part[] {
  return pages.flatMap((page, at): Part[] => [
    { query: '', body: page },
    ...(contents.get(at) ?? []).map(({ id, bytes }) => ({ query: `?fileId=${id}&piece=1&isLast=true`, body: bytes })),
  ])
}

export async function sendPart(id: string, number: number, { query, body }: Part): Promise<Answer> {
  const response = await fetchWorker(`/api/operator/restores/${id}/parts/${number}${query}`, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/octet-stream' },
    body,
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

export async function complete(id: string, body: Json = {}): Promise<Answer> {
  for (;;) {
    const answer = await operator('POST', `/restores/${id}/complete`, body)
    if (answer.status !== 200 || answer.body.state === 'complete') return answer
  }
}

/** Begins, sends everything, completes; a refusal fails the test. */
export async function restore(archive: Archive, more: Json = {}): Promise<Answer> {
  const begun = await begin(archive, more)
  if (begun.status !== 201) return begun
  for (const [at, part] of partsOf(archive).entries()) {
    if (at < begun.body.nextPart) continue
    const taken = await sendPart(begun.body.id, at, part)
    if (taken.status !== 200) return taken
  }
  return complete(begun.body.id)
}

/** After an export that is newer than its last change. */
export async function deleteOrg({ slug, id }: Pick<TestOrg, 'slug' | 'id'>): Promise<void> {
  const deleted = await operator('DELETE', `/orgs/${slug}`)
  if (deleted.status !== 204) throw new Error(JSON.stringify(deleted.body))
  const left = await env.DB.prepare('SELECT count(*) AS n FROM entities WHERE org_id = ?')
    .bind(id)
    .first<{ n: number }>()
  if (left?.n !== 0) throw new Error('the organization is still there')
}

/** Asking is a use, too: when a new hour has begun, a key tells of it. */
const withoutUse = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'lastUsedOn' ? undefined : value)))

/** Every answer of the organization's API that shows what it has, page by page. */
export async function answersOf(org: TestOrg, paths: readonly string[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const path of paths) {
    for (let key: unknown = ''; key !== null && key !== undefined; ) {
      const paged = key ? `${path}&nextPageKey=${key}` : path
      const { status, body } = await call('GET', paged, {
        headers: { ...org.headers, ...(path.startsWith('/api/operator') && headers) },
      })
      answers[paged] = [status, withoutUse(body)]
      key = typeof body === 'object' ? body.nextPageKey : null
    }
  }
  return answers
}
