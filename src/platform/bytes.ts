// How much room a value takes as JSON.

const encoder = new TextEncoder()
const ASCII = /^\p{ASCII}*$/u

export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value) ?? ''
  return ASCII.test(text) ? text.length : encoder.encode(text).length
}
