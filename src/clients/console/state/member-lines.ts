// The entries in the list of a publish (N33). Pure.

export interface Member {
  itemId: string
  itemFederatedId: string | null
}

/** Of a list that may break off: those that are whole. */
export function membersIn(text: string): Member[] {
  return text.split('\n').flatMap(line => {
    try {
      // One entry a line, between brackets.
      return line.startsWith('{') ? [JSON.parse(line.replace(/,$/, '')) as Member] : []
    } catch {
      return []
    }
  })
}
