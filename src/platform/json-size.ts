// How much room a value takes as JSON.
import { Buffer } from 'node:buffer'

export function textBytes(text: string): number {
  return Buffer.byteLength(text)
}

export function jsonBytes(value: unknown): number {
  return textBytes(JSON.stringify(value) ?? '')
}
