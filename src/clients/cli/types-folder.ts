// Types as files that can live in git: one YAML file for each type path, `item.shoe.yaml` for `item:shoe` (N54).

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import type { TypeProperty } from '../typescript/index.ts'
import { nearestName } from './entity-name.ts'
import { Failure, usage } from './failure.ts'
import { isRecord, parseDocument } from './input.ts'

/** What an organization says of a type path itself, without what it inherits. */
export interface TypeFile {
  typePath: string
  label: string | null
  properties: TypeProperty[]
}

const ENDING = /\.ya?ml$/
const MEMBERS = ['slug', 'label', 'propertyType', 'options', 'level', 'required', 'archived', 'indexed'] as const

/** The same type makes the same text: members in one order, and none that says nothing. */
export function typeText({ typePath, label, properties }: TypeFile): string {
  const said = properties.map(property =>
    Object.fromEntries(MEMBERS.flatMap(name => (isSaid(property[name]) ? [[name, property[name]]] : []))),
  )
  return stringify({ typePath, ...(label === null ? {} : { label }), properties: said }, { lineWidth: 0 })
}

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== false

export const fileNameOf = (typePath: string): string => `${typePath.replaceAll(':', '.')}.yaml`

/** Which files were written, and which are gone because their types are. */
export async function writeFolder(
  folder: string,
  types: readonly TypeFile[],
): Promise<{ written: string[]; removed: string[] }> {
  const names = new Map(types.map(type => [fileNameOf(type.typePath), type]))
  if (new Set([...names.keys()].map(name => name.toLowerCase())).size < names.size) {
    throw usage('Two type paths differ only in case.', 'Rename one of them: not every file system keeps both.')
  }
  await mkdir(folder, { recursive: true })
  const before = await filesIn(folder)
  const written: string[] = []
  for (const [name, type] of names) {
    const text = typeText(type)
    if (before.get(name) === text) continue
    await writeFile(path.join(folder, name), text)
    written.push(name)
  }
  const removed = [...before].filter(([name, text]) => !names.has(name) && isTypeFile(name, text)).map(([name]) => name)
  for (const name of removed) await rm(path.join(folder, name))
  return { written, removed }
}

/** Only what this command has written is taken away by it. */
function isTypeFile(name: string, text: string): boolean {
  const found = /^typePath: (\S+)$/m.exec(text)?.[1]
  return found !== undefined && fileNameOf(found) === name
}

export async function readFolder(folder: string): Promise<TypeFile[]> {
  const files = await filesIn(folder)
  if (files.size === 0) throw usage(`There are no types in ${folder}.`, 'Begin with `selvedge types pull --dir …`.')
  const types = [...files].map(([name, text]) => typeIn(parseDocument(text, name), name))
  const twice = types.find(({ typePath }, at) => types.findIndex(type => type.typePath === typePath) < at)
  if (twice) throw usage(`Two files describe ${twice.typePath}.`, 'Remove one of them.')
  return types.sort((a, b) => (a.typePath < b.typePath ? -1 : 1))
}

async function filesIn(folder: string): Promise<Map<string, string>> {
  try {
    const names = (await readdir(folder)).filter(name => ENDING.test(name)).sort()
    const texts = await Promise.all(names.map(name => readFile(path.join(folder, name), 'utf8')))
    return new Map(names.map((name, at) => [name, (texts[at] ?? '').replaceAll('\r\n', '\n')]))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure({ what: `${folder} cannot be read.`, why, todo: 'Check the path of the folder.', exitCode: 2 })
  }
}

/** The service says what is wrong inside of a property; here only what would be lost unseen. */
function typeIn(value: unknown, name: string): TypeFile {
  const todo = 'Correct the file; `selvedge types pull` shows what one looks like.'
  if (!isRecord(value) || typeof value.typePath !== 'string') throw usage(`${name} holds no typePath.`, todo)
  const { typePath, label = null, properties = [], ...others } = value
  const [other] = Object.keys(others)
  if (other !== undefined) throw usage(`${name} has an unknown member ${JSON.stringify(other)}.`, todo)
  const areProperties = Array.isArray(properties) && properties.every(each => isRecord(each) && 'slug' in each)
  if (!areProperties) throw usage(`The properties in ${name} are not a list of properties.`, todo)
  for (const property of properties) refuseUnknown(property, name, todo)
  if (label !== null && typeof label !== 'string') throw usage(`The label in ${name} is no text.`, todo)
  return { typePath, label, properties: properties as TypeProperty[] }
}

/** Neither the service nor the comparison with what is stored would say a word about it. */
function refuseUnknown(property: Record<string, unknown>, name: string, todo: string): void {
  const known: readonly string[] = MEMBERS
  const unknown = Object.keys(property).find(each => !known.includes(each))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const what = `${JSON.stringify(property.slug)} in ${name} has an unknown member ${JSON.stringify(unknown)}.`
  throw usage(what, nearest === undefined ? todo : `Did you mean ${nearest}? ${todo}`)
}
