// Brings an organization back from the frames of an archive, for the command and the console alike. All of it is read and checked
// first; then every frame is sent as one part, from the one on that the service has not seen yet.

import { pagesIn, pieceIn, unpacked } from '../../../platform/formats/bodies.ts'
import { ArchiveError, type ReadFrame } from '../../../platform/formats/frames.ts'
import {
  ApiError,
  type NewRestore,
  type Operator,
  type RestorePart,
  type RestoreStatus,
} from '../../typescript/index.ts'

/** The archive from its beginning, as often as it is asked for. */
export type Frames = () => AsyncIterable<ReadFrame>

export interface Checked {
  end: Readonly<Record<string, unknown>>
  digest: string
  frames: number
}

/** Throws where the archive is not whole, or is not what was written. */
export async function checkFrames(frames: Frames): Promise<Checked> {
  let last: { page: string; digest: string } | undefined
  let count = 0
  for await (const { kind, body } of frames()) {
    if (kind !== 'end') count++
    if (kind !== 'rows') continue
    const [only] = pagesIn(await unpacked(body))
    if (only?.mark.after === null) last = { page: only.page, digest: only.mark.digest }
  }
  const line = last?.page.split('\n').find(each => each.startsWith('{"table":"end"'))
  if (!last || !line) throw new ArchiveError('cut', 'The archive lacks its last page.')
  return { end: JSON.parse(line) as Checked['end'], digest: last.digest, frames: count }
}

export interface Bringing {
  operator: Operator
  frames: Frames
  checked: Checked
  slug: string | undefined
  suspended: boolean | undefined
  signal?: AbortSignal | undefined
  told(part: number): void
}

export async function bringBackFrames(bringing: Bringing): Promise<RestoreStatus> {
  const { operator, checked, slug, suspended, signal } = bringing
  const asked: NewRestore = { slug, end: checked.end, digest: checked.digest, suspended }
  let restore = await begun(bringing, asked)
  try {
    await sendAll(bringing, restore)
  } catch (error) {
    if (!isShiftAdvised(error) || restore.isShifted) throw error
    await operator.backups.abandon({ id: restore.id, signal })
    restore = await operator.backups.begin({ ...asked, positions: 'shift', signal })
    await sendAll(bringing, restore)
  }
  // As it was begun, its name may have been taken since, or may not be the one that is asked for now.
  const name = slug ?? String(checked.end.slug)
  const other = name === restore.slug ? undefined : name
  for (;;) {
    const status = await operator.backups.complete({ id: restore.id, slug: other, signal })
    if (status.state === 'complete') return status
  }
}

/** One that was begun with other places, or under another name, goes on as it was begun; another archive is refused. */
async function begun({ operator, signal }: Bringing, asked: NewRestore): Promise<RestoreStatus> {
  try {
    return await operator.backups.begin({ ...asked, signal })
  } catch (error) {
    const id = underWayIn(error)
    if (id === undefined) throw error
    const { slug, isShifted } = await operator.backups.status({ id, signal })
    return operator.backups.begin({ ...asked, slug, positions: isShifted ? 'shift' : 'keep', signal })
  }
}

/** The id of the restore that is in the way. */
export function underWayIn(error: unknown): string | undefined {
  const body = error instanceof ApiError ? error.body : undefined
  const id = typeof body === 'object' && body !== null && 'restoreId' in body ? body.restoreId : undefined
  return typeof id === 'string' ? id : undefined
}

/** The service says so where another organization has the places of its records. */
function isShiftAdvised(error: unknown): boolean {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null) return false
  return 'positions' in error.body && error.body.positions === 'shift'
}

async function sendAll(bringing: Bringing, { id, nextPart }: RestoreStatus): Promise<void> {
  const { operator, frames, signal, told } = bringing
  let part = 0
  for await (const frame of frames()) {
    if (frame.kind === 'end') return
    if (part >= nextPart) await operator.backups.send({ id, part, ...(await partOf(frame)), signal })
    part++
    told(part)
  }
}

async function partOf({ kind, body }: ReadFrame): Promise<RestorePart> {
  if (kind === 'rows') return { content: new TextEncoder().encode(await unpacked(body)) }
  const { piece, bytes } = pieceIn(body)
  return { content: bytes, ...piece }
}
