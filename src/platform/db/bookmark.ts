// How far a caller has seen, as it travels (N59): the bookmark of a session, with the name of its database in front where that is not
// the directory.
import { DATABASE_NAME, DIRECTORY } from './placement.ts'

export interface Bookmark {
  database: string
  /** As D1 gives it: four groups of hexadecimal digits. */
  mark: string
}

const MARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

/** Anything else, such as `first-unconstrained`, is not a caller's to choose. */
export function bookmarkIn(text: string | null | undefined): Bookmark | undefined {
  const dot = text?.indexOf('.') ?? -1
  const [database, mark] = dot < 0 ? [DIRECTORY, text ?? ''] : [text?.slice(0, dot) ?? '', text?.slice(dot + 1) ?? '']
  return MARK.test(mark) && DATABASE_NAME.test(database) ? { database, mark } : undefined
}

export const textOfBookmark = ({ database, mark }: Bookmark) => (database === DIRECTORY ? mark : `${database}.${mark}`)
