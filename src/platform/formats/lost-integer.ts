// Integers that JavaScript cannot hold as they are written (N69). Numbers with a fraction or an exponent are measures, of which
// nobody expects more digits than a double has. Pure.

/** Shorter ones it can hold. YAML writes them with other bases and a plus, too. */
const LONG = /^([-+]?\d{16,}|0[xo][\da-f]{14,})$/i

export function isLostInteger(source: string): boolean {
  const value = Number(source)
  return LONG.test(source) && Number.isFinite(value) && BigInt(source) !== BigInt(value)
}
