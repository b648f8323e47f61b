// Brings an organization back from an archive on disk.

import type { RestoreStatus } from '../../typescript/index.ts'
import { framesOf } from './archive-file.ts'
import { type Bringing, bringBackFrames, type Checked, checkFrames } from './bring-back-frames.ts'

interface Archive {
  file: string
  passphrase: string | undefined
}

/** Throws where the archive is not whole, or is not what was written. */
export const check = (file: string, passphrase: string | undefined): Promise<Checked> =>
  checkFrames(() => framesOf(file, passphrase))

export const bringBack = ({
  file,
  passphrase,
  ...bringing
}: Omit<Bringing, 'frames'> & Archive): Promise<RestoreStatus> =>
  bringBackFrames({ ...bringing, frames: () => framesOf(file, passphrase) })
