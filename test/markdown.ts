// Markdown files of the tree as tests read them: their fenced blocks, their links, the paths that they name.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..')

const LEFT_OUT = /(^|\/)(node_modules|dist|target|\.git|\.wrangler)(\/|$)/

/** All of them, relative to the root. */
export function markdownFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll(path.sep, '/'))
    .filter(file => file.endsWith('.md') && !LEFT_OUT.test(file))
    .sort()
}

export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

export const withoutFences = (markdown: string): string => markdown.replaceAll(FENCE, '')

const FENCE = /^```(\S*)([^\n]*)\n(.*?)^```$/gms

export interface Fence {
  language: string
  /** The name to save it under, from `title=`. */
  title: string | undefined
  text: string
  /** Where it begins in the file. */
  line: number
}

export function fencesOf(markdown: string): Fence[] {
  const found = markdown.matchAll(FENCE)
  return [...found].map(([, language = '', words = '', text = ''], at, all) => ({
    language,
    title: /title=(\S+)/.exec(words)?.[1],
    text,
    line: markdown.slice(0, all[at]?.index).split('\n').length,
  }))
}

export interface Table {
  header: string[]
  rows: string[][]
}

/** Cells as they are written; a `\|` within one is a `|`. */
export function tablesOf(markdown: string): Table[] {
  const found = markdown.matchAll(/^\|(.*)\|\n\|[-| :]+\|\n((?:\|.*\|\n?)+)/gm)
  return [...found].map(([, header = '', body = '']) => ({
    header: cellsOf(header),
    rows: body
      .trim()
      .split('\n')
      .map(line => cellsOf(line.slice(1, -1))),
  }))
}

function cellsOf(line: string): string[] {
  return line.split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))
}
