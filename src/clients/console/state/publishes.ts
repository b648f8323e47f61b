// What a publish lists (N33), read from the beginning of its files: they may be long.
import { type Member, membersIn } from './member-lines.ts'
import { client } from './session.ts'

const FIRST_BYTES = 16 * 1024

export async function firstMembers(url: string): Promise<Member[]> {
  const id = /\/files\/([^/]+)\/content$/.exec(url)?.[1] ?? ''
  const response = await client.files.download({ id, range: `bytes=0-${FIRST_BYTES - 1}` })
  return membersIn(await response.text())
}
