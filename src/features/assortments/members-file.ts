// The members of an assortment at a publish, kept as a file, and what has changed since (N33): what stands is compared with what was
// last published. Both are in the order of creation and are read side by side, a page at a time.
import type { Database } from '../../platform/db/client.ts'
import type { FileScope } from '../files/service.ts'
import { contentKey } from '../files/store.ts'
import { type Change, clearChanges, type MemberLine, memberPages, noteChanges } from './store.ts'

const PAGE = 1000

/** None where there is no such file, or not any more. */
export async function* linesOf({ env, org }: FileScope, fileId: string | undefined): AsyncGenerator<MemberLine> {
  const object = fileId === undefined ? null : await env.FILES.get(contentKey(org.id, fileId))
  if (!object) return
  let rest = ''
  for await (const text of object.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      // One entry a line, between brackets.
      if (line.startsWith('{')) yield JSON.parse(line.replace(/,$/, '')) as MemberLine
    }
  }
}

async function* membersOf(db: Database, orgId: string, assortmentId: string): AsyncGenerator<MemberLine> {
  for await (const page of memberPages(db, orgId, assortmentId)) yield* page
}

/** Members of both lists are in the same order in both; a member that came from another assortment may be between them. */
export async function* changesBetween(
  before: AsyncIterable<MemberLine>,
  now: AsyncGenerator<MemberLine>,
): AsyncGenerator<{ itemId: string; change: Change }> {
  let present = await now.next()
  for await (const old of before) {
    for (; !present.done && present.value.id !== old.id && present.value.seq < old.seq; present = await now.next()) {
      yield { itemId: present.value.itemId, change: 'add' }
    }
    if (present.done || present.value.id !== old.id) {
      yield { itemId: old.itemId, change: 'delete' }
      continue
    }
    const { itemId, version } = present.value
    if (itemId !== old.itemId) {
      yield { itemId: old.itemId, change: 'delete' }
      yield { itemId, change: 'add' }
    } else if (version !== old.version) yield { itemId, change: 'update' }
    present = await now.next()
  }
  for (; !present.done; present = await now.next()) yield { itemId: present.value.itemId, change: 'add' }
}

/** Whether there is nothing to publish. */
export async function isAsPublished(scope: FileScope, assortmentId: string, lastFileId: string | undefined) {
  const now = membersOf(scope.db, scope.org.id, assortmentId)
  for await (const _ of changesBetween(linesOf(scope, lastFileId), now)) return false
  return true
}

/** Puts down what has changed from one file to the next, for the lists of a publish; an item that left and came back is changed. */
export async function putDownChanges(
  scope: FileScope,
  publishId: string,
  assortmentId: string,
  [before, now]: readonly [before: string | undefined, now: string],
  pause: () => Promise<void>,
): Promise<void> {
  const { db } = scope
  await clearChanges(db, publishId, assortmentId)
  let page: { itemId: string; change: Change }[] = []
  for await (const change of changesBetween(linesOf(scope, before), linesOf(scope, now))) {
    page.push(change)
    if (page.length < PAGE) continue
    await noteChanges(db, publishId, assortmentId, page)
    await pause()
    page = []
  }
  await noteChanges(db, publishId, assortmentId, page)
}
