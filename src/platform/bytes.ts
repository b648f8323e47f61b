// How much room a value takes as JSON.

const encoder = new TextEncoder()
const ASCII = /^\p{ASCII}*$/u

export function textBytes(text: string): number {
  return ASCII.test(text) ? text.length : encoder.encode(text).length
}

export function jsonBytes(value: unknown): number {
  return textBytes(JSON.stringify(value) ?? '')
}
