// The methods of strings. The caller has paid for reading the receiver, and pays for the resulting text;
// what could grow beyond bounds is refused before it is built.

import { toNumber, toText } from '../coerce.ts'
import type { Evaluation } from '../evaluation.ts'
import { match, replace, replaceAll, search, searchWork, split } from '../regex/text-search.ts'
import { type Method, type Methods, native, primitives } from './method.ts'

const proto = String.prototype

function finding(method: (this: string, text: string, position?: number) => unknown): Method<string> {
  return {
    call: (evaluation, receiver, args) => {
      const text = toText(evaluation, args[0])
      searchWork(evaluation, receiver, text)
      return Reflect.apply(method, receiver, [text, ...primitives(evaluation, args.slice(1, 2), ['number'])])
    },
  }
}

function padding(method: (this: string, length: number, filler?: string) => string): Method<string> {
  return {
    call: (evaluation, receiver, args) => {
      const length = toNumber(evaluation, args[0])
      evaluation.room(length)
      return Reflect.apply(method, receiver, [length, ...primitives(evaluation, args.slice(1, 2), ['string'])])
    },
  }
}

/** A native method that takes so many times longer than copying the text; measured with the slowest letters. */
const slow = (times: number, method: Method<string>): Method<string> => ({
  call: (evaluation, receiver, args) => {
    evaluation.reading(receiver.length, times)
    return method.call(evaluation, receiver, args)
  },
})

function localeCompare(evaluation: Evaluation, receiver: string, [other]: unknown[]): number {
  const text = toText(evaluation, other)
  evaluation.reading(text.length)
  return receiver.localeCompare(text)
}

function repeat(evaluation: Evaluation, receiver: string, args: unknown[]): string {
  const count = toNumber(evaluation, args[0])
  // An infinite count is left to the native method, which refuses it.
  if (count !== Infinity) evaluation.room(receiver.length * count)
  return receiver.repeat(count)
}

function concat(evaluation: Evaluation, receiver: string, args: unknown[]): string {
  const pieces = args.map(arg => toText(evaluation, arg))
  evaluation.room(pieces.reduce((length, piece) => length + piece.length, receiver.length))
  return receiver.concat(...pieces)
}

export const STRING_METHODS: Methods<string> = new Map<string, Method<string>>([
  ['at', native(proto.at, 'number')],
  ['charAt', native(proto.charAt, 'number')],
  ['charCodeAt', native(proto.charCodeAt, 'number')],
  ['codePointAt', native(proto.codePointAt, 'number')],
  ['concat', { call: concat }],
  ['endsWith', finding(proto.endsWith)],
  ['includes', finding(proto.includes)],
  ['indexOf', finding(proto.indexOf)],
  ['lastIndexOf', finding(proto.lastIndexOf)],
  // Only the text: locales and options would let the answer depend on where it is asked.
  ['localeCompare', slow(20, { call: localeCompare })],
  ['match', { call: match, takesRegex: true }],
  ['normalize', slow(200, native(proto.normalize, 'string'))],
  ['padEnd', padding(proto.padEnd)],
  ['padStart', padding(proto.padStart)],
  ['repeat', { call: repeat }],
  ['replace', { call: replace, takesRegex: true, callbackAt: 1 }],
  ['replaceAll', { call: replaceAll, takesRegex: true, callbackAt: 1 }],
  ['search', { call: search, takesRegex: true }],
  ['slice', native(proto.slice, 'number')],
  ['split', { call: split, takesRegex: true }],
  ['startsWith', finding(proto.startsWith)],
  ['substr', native(proto.substr, 'number')],
  ['substring', native(proto.substring, 'number')],
  ['toLowerCase', slow(30, native(proto.toLowerCase))],
  ['toString', native(proto.toString)],
  ['toUpperCase', slow(30, native(proto.toUpperCase))],
  ['trim', slow(10, native(proto.trim))],
  ['trimEnd', slow(10, native(proto.trimEnd))],
  ['trimStart', slow(10, native(proto.trimStart))],
  ['valueOf', native(proto.valueOf)],
])
