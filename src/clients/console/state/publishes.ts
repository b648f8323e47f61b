// What a publish lists (N33), read from the beginning of its files: they may be long.
import { type Member, membersIn } from './member-lines.ts'
import { client } from './session.ts'

const FIRST_BYTES = 16 * 1024

/** The whole list: a publish by hand is bounded. */
export async function allMembers(url: string): Promise<string[]> {
  const response = await client.files.download({ id: fileOf(url) })
  return membersIn(await response.text()).map(({ itemId }) => itemId)
}

const fileOf = (url: string) => /\/files\/([^/]+)\/content$/.exec(url)?.[1] ?? ''

export async function firstMembers(url: string): Promise<Member[]> {
  const response = await client.files.download({ id: fileOf(url), range: `bytes=0-${FIRST_BYTES - 1}` })
  return membersIn(await response.text())
}
