// What can stand next on a command line, found from the tree of commands itself. Pure.

import type { Command } from 'commander'
import { ENTITY_NAMES } from '../typescript/index.ts'

const OPTION_VALUES: Readonly<Record<string, readonly string[]>> = {
  '--scope': ['read', 'write'],
  '--tier': ['standard', 'high', 'internal'],
  '--mode': ['upsert', 'create', 'update'],
  '--entity-type': ENTITY_NAMES,
}

/** With a script for completion. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell']

/** `words` are those after the command's own name; the last one is being typed. */
export function completionsOf(program: Command, words: readonly string[], profiles: readonly string[]): string[] {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const previous = before.at(-1) ?? ''
  const { command, given } = walk(program, before)
  return candidates(command, given, previous, typed, profiles)
    .filter(each => each.startsWith(typed))
    .sort()
}

function candidates(
  command: Command,
  given: number,
  previous: string,
  typed: string,
  profiles: readonly string[],
): readonly string[] {
  if (previous === '--profile') return profiles
  const values = OPTION_VALUES[previous]
  if (values !== undefined) return values
  if (typed.startsWith('-')) return optionsOf(command)
  const names = visible(command)
  if (names.length > 0) return names
  const argument = command.registeredArguments[given]?.name()
  if (argument === 'entity') return ENTITY_NAMES
  if (argument === 'shell') return SHELLS
  return argument === 'name' && command.parent?.name() === 'profiles' ? profiles : []
}

/** Goes down the tree as far as the words lead, passing over options and their values. */
function walk(program: Command, words: readonly string[]): { command: Command; given: number } {
  let command = program
  let given = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word.startsWith('-')) {
      if (takesValue(command, word)) i += 1
      continue
    }
    const next = command.commands.find(each => each.name() === word)
    if (next === undefined) given += 1
    else command = next
  }
  return { command, given }
}

function lineage(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...lineage(command.parent)]
}

function takesValue(command: Command, flag: string): boolean {
  const option = lineage(command)
    .flatMap(each => each.options)
    .find(each => each.long === flag || each.short === flag)
  return option?.required === true && !flag.includes('=')
}

function optionsOf(command: Command): string[] {
  const own = lineage(command).flatMap(each => each.options.filter(option => !option.hidden))
  return [...new Set([...own.flatMap(option => option.long ?? []), '--help'])]
}

function visible(command: Command): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map(each => each.name())
}
