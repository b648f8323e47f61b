// What a publish lists (N33), read from the beginning of its files: they may be long.
import { client } from './session.ts'

export interface Member {
  itemId: string
  itemFederatedId: string | null
}

const FIRST_BYTES = 16 * 1024

export async function firstMembers(url: string): Promise<Member[]> {
  const id = /\/files\/([^/]+)\/content$/.exec(url)?.[1] ?? ''
  const response = await client.files.download({ id, range: `bytes=0-${FIRST_BYTES - 1}` })
  return membersIn(await response.text())
}

/** Of a list that may break off: those that are whole. */
export function membersIn(text: string): Member[] {
  const end = text.lastIndexOf('}')
  return end < 0 ? [] : (JSON.parse(`${text.slice(0, end + 1)}]`) as Member[])
}
