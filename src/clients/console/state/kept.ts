// What this browser keeps for the reader: theme, chosen columns, saved views. Never a credential.

export const keyOf = (name: string) => `selvedge.${name}`

export function kept<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(keyOf(name))
    return text === null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(keyOf(name))
    else localStorage.setItem(keyOf(name), JSON.stringify(value))
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
