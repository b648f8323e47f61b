// A page of an archive, checked line by line, as statements. Archives are input like any other: whatever a line says, it is refused
// with its number before anything of the page is written.

import type { Statement } from '../../platform/db/client.ts'
import { removeRestored, restoreEntities, restoreRows } from '../../platform/db/commit/restored-rows.ts'
import type { Param } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import { type FieldError, invalid } from '../../platform/errors.ts'
import { ID_PATTERN } from '../../platform/ids.ts'
import { findKind } from '../../platform/kind.ts'
import { FAULTS_MAX } from '../../platform/limits.ts'
import { chained, Deleted, type Line, Mark, TOLD } from './lines.ts'
import type { Notes } from './notes.ts'
import { inward } from './secrets.ts'
import { ARCHIVED, type ArchivedName, archivedColumns, archivedDefaults, ORDERED } from './store/archived-tables.ts'
import { idsByEmail, type RestoredMember, restoreMembers } from './store/restores.ts'

export interface PartRows {
  statements: Statement[]
  notes: Notes
  digest: string
  mark: Mark
}

interface Scope {
  env: Env
  orgId: string
  notes: Notes
}

/** `before`: the digest of the pages before it. */
export async function partRows(scope: Scope, text: string, before: string): Promise<PartRows> {
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  const mark = Mark.safeParse(parsedLine(text.slice(end)))
  if (!mark.success || !text.endsWith('\n')) throw invalid([{ path: '', message: 'The page has no mark at its end.' }])
  const digest = await chained(before, text.slice(0, end))
  if (digest !== mark.data.digest) {
    throw invalid([{ path: '', message: 'The digest of the page is another: it was altered, or is not the next one.' }])
  }
  const lines = text.slice(0, end).split('\n').slice(0, -1).map(parsedLine)
  const faults = lines.flatMap((line, at) =>
    faultsOf(line, scope.notes.highest).map(message => ({ path: `/${at}`, message })),
  )
  if (faults.length) throw invalid(faults.slice(0, FAULTS_MAX) as FieldError[])
  const written = { ...scope, notes: structuredClone(scope.notes) }
  const statements: Statement[] = []
  for (const group of groupsOf(lines as Line[])) statements.push(...(await statementsOf(written, group)))
  return { statements, notes: written.notes, digest, mark: mark.data }
}

function parsedLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTold = (table: string): table is keyof typeof TOLD => Object.hasOwn(TOLD, table)
const isTable = (table: unknown): table is ArchivedName => typeof table === 'string' && Object.hasOwn(ARCHIVED, table)

function faultsOf(line: unknown, highest: Notes['highest']): string[] {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return ['Expected a JSON object.']
  const { table, ...rest } = line as Line
  if (table === 'deleted') return Deleted.safeParse(line).success ? [] : ['This is no line of a deletion.']
  if (isTold(table)) {
    return TOLD[table].safeParse(line).success
      ? []
      : [`This is no line of the table ${table}, or one of a newer release.`]
  }
  if (!isTable(table)) return ['There is no such table. The archive may be of a newer release.']
  const known = [...archivedColumns(table), ...(table === 'members' ? ['email', 'userCreatedOn'] : []), 'secrets']
  const strange = Object.keys(rest).find(name => !known.includes(name))
  if (strange !== undefined)
    return [`Nothing is called ${strange.slice(0, 60)}. The archive may be of a newer release.`]
  const isPlain = (value: unknown) => value === null || typeof value === 'string' || Number.isSafeInteger(value)
  if (!Object.values(rest).every(isPlain)) return ['Values are texts, whole numbers or null.']
  // Places are shared with all other organizations: none lies where nobody has looked.
  const isPlace = Number.isInteger(rest.seq) && Number(rest.seq) > 0 && Number(rest.seq) <= (highest[table] ?? 0)
  if (ORDERED.includes(table) && !isPlace) return ['`seq` is no place up to the highest that the archive tells.']
  if (table === 'entities') return entityFaults(rest)
  return table === 'changes' && !isObjectText(rest.detail) ? ['`detail` is no JSON object.'] : []
}

function entityFaults({ kind, id, data }: Record<string, unknown>): string[] {
  if (!findKind(String(kind))) return ['There is no such entity type. The archive may be of a newer release.']
  if (!ID_PATTERN.test(String(id))) return ['`id` is no id.']
  return isObjectText(data) ? [] : ['`data` is no JSON object.']
}

function isObjectText(text: unknown): boolean {
  const value = typeof text === 'string' ? parsedLine(text) : undefined
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Neighbours of one table are written together; their order stays. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.[0]?.table === line.table) last.push(line)
    else groups.push([line])
  }
  return groups
}

async function statementsOf({ env, orgId, notes }: Scope, lines: Line[]): Promise<Statement[]> {
  const table = lines[0]?.table ?? ''
  if (table === 'deleted')
    return removeRestored(
      orgId,
      lines.map(({ id }) => String(id)),
    )
  if (isTold(table)) {
    notes.told = { ...notes.told, ...Object.fromEntries(lines.map(line => [line.table, line])) }
    return []
  }
  if (!isTable(table)) return []
  const opened = await Promise.all(lines.map(line => inward(env, orgId, line)))
  const kept = opened.flatMap(({ line, isLacking }) => (isLacking ? lacking(notes, line) : [line]))
  if (table === 'members') return members({ env, orgId, notes }, kept as unknown as RestoredMember[])
  const names = archivedColumns(table)
  const defaults = archivedDefaults(table)
  const people = (name: string, value: unknown) =>
    name === 'userId' && typeof value === 'string' ? (notes.people[value] ?? value) : value
  const rows = kept.map(line => names.map(name => people(name, line[name] ?? defaults[name] ?? null) as Param))
  const shifts = {
    seq: notes.shifts[table] ?? 0,
    // Its place is one among the change records.
    ...(table === 'endpoints' && { loadsAfterSeq: notes.shifts.changes ?? 0 }),
  }
  const restored = { orgId, names, rows, shifts }
  return table === 'entities' ? restoreEntities(restored) : restoreRows({ ...restored, table: ARCHIVED[table].table })
}

/** An identity provider is nothing without its secret; an endpoint and a member wait for a new one. */
function lacking(notes: Notes, line: Line): Line[] {
  if (line.table === 'identityProviders') {
    notes.leftOut.identityProvider = true
    return []
  }
  if (line.table === 'members') notes.leftOut.passwords++
  else notes.leftOut.endpoints.push(String(line.name))
  return [line]
}

async function members({ env, orgId, notes }: Scope, rows: RestoredMember[]): Promise<Statement[]> {
  const here = await idsByEmail(
    env,
    rows.map(({ email }) => email),
  )
  for (const { email, userId } of rows) {
    const id = here.get(email)
    if (id !== undefined && id !== userId) notes.people[userId] = id
  }
  return restoreMembers(orgId, rows)
}
