// Lists as bound values.

/** In UTF-16 units, each of which may take three bytes of the two million that D1 allows. */
const PARAM_MAX_LENGTH = 600_000

/** Lists as JSON texts that each fit into one bound value. */
export function slices(list: readonly unknown[]): string[] {
  if (list.length === 0) return []
  const whole = JSON.stringify(list)
  if (whole.length <= PARAM_MAX_LENGTH) return [whole]
  return cut(list.map(one => JSON.stringify(one))).map(text => `[${text}]`)
}

/** The same for the entries of an object. Keys that read like integers may come first. */
export function objectSlices(entries: readonly (readonly [key: string, value: unknown])[]): string[] {
  if (entries.length === 0) return []
  // At once it takes half as long as one by one.
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, value] of entries) object[key] = value
  const whole = JSON.stringify(object)
  if (whole.length <= PARAM_MAX_LENGTH) return [whole]
  const parts = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  return cut(parts).map(text => `{${text}}`)
}

function cut(parts: readonly string[]): string[] {
  const texts: string[] = []
  let from = 0
  let length = 0
  for (const [at, part] of parts.entries()) {
    if (length > 0 && length + part.length > PARAM_MAX_LENGTH) {
      texts.push(parts.slice(from, at).join(','))
      from = at
      length = 0
    }
    length += part.length
  }
  if (from < parts.length) texts.push(parts.slice(from).join(','))
  return texts
}
