// An organization as lines of JSON, page by page: memory does not grow with the data. The contents of its files, deliveries
// and the audit trail are not in it. It counts as exported when the last line has been sent.
import type { OpenContext } from '../../platform/context.ts'
import { allKinds } from '../../platform/kind.ts'
import { recordAudit } from '../audit/audit.ts'
import { OPERATOR } from '../audit/entry.ts'
import { organization } from '../organizations/organizations.ts'
import { shownOrg } from './operator.ts'
import { changeOrg, type ExportedRow, type ExportPart, exportPage } from './store.ts'

/** Entities may hold 512 KB each: a page of them must fit into memory more than once. */
const ROWS_A_PAGE = 50

const partsOf = (): ExportPart[] => [
  ...allKinds().map(({ name }): ExportPart => ({ table: 'entities', kind: name })),
  { table: 'changes' },
  { table: 'members' },
  { table: 'credentials' },
  { table: 'endpoints' },
]

export async function exportOrganization(context: OpenContext, slug: string): Promise<ReadableStream<Uint8Array>> {
  const org = await organization(context, slug)
  // What is written after this moment may be missing from it.
  const begunOn = Date.now()
  const lines = exportLines(context, org.id, { table: 'org', ...shownOrg(org) })
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await lines.next()
      if (!done) return controller.enqueue(encoder.encode(value))
      await changeOrg(context.env, slug, { exportedOn: begunOn })
      await recordAudit(context, { orgId: org.id, action: 'organization_exported', actor: OPERATOR })
      controller.close()
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}

async function* exportLines({ env }: OpenContext, orgId: string, first: object): AsyncGenerator<string, void> {
  yield `${JSON.stringify(first)}\n`
  for (const part of partsOf()) {
    let after: [number, number] | undefined = [-1, 0]
    while (after) {
      const rows: ExportedRow[] = await exportPage(env, orgId, part, after, ROWS_A_PAGE)
      if (rows.length) yield rows.map(row => `${JSON.stringify({ table: part.table, ...row })}\n`).join('')
      const last = rows.length === ROWS_A_PAGE ? rows.at(-1) : undefined
      after = last && [last.createdOn, last.seq]
    }
  }
}
