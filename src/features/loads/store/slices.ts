// Lists as bound values.

/** In UTF-16 units, each of which may take three bytes of the two million that D1 allows. */
const PARAM_MAX_LENGTH = 600_000

/** Lists as JSON texts that each fit into one bound value. */
export function slices(list: readonly unknown[]): string[] {
  if (list.length === 0) return []
  const whole = JSON.stringify(list)
  return whole.length <= PARAM_MAX_LENGTH ? [whole] : cut(list)
}

function cut(list: readonly unknown[]): string[] {
  const texts: string[] = []
  let parts: string[] = []
  let length = 0
  for (const one of list) {
    const text = JSON.stringify(one)
    if (length > 0 && length + text.length > PARAM_MAX_LENGTH) {
      texts.push(`[${parts.join(',')}]`)
      parts = []
      length = 0
    }
    parts.push(text)
    length += text.length
  }
  if (parts.length > 0) texts.push(`[${parts.join(',')}]`)
  return texts
}
