// What every command gets: the world, and from its options the client and the output.

import type { Command } from 'commander'
import type { Client, Operator } from '../typescript/index.ts'
import { clientOf, connectionOf, type GlobalOptions, operatorOf } from './connection.ts'
import { Output, type World } from './terminal.ts'

/** For commands that watch for long: several minutes without an answer are survived. */
export const PATIENT_RETRIES = 30

export class Cli {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  options(command: Command): GlobalOptions {
    return command.optsWithGlobals<GlobalOptions>()
  }

  output(command: Command): Output {
    return new Output(this.world, this.options(command).json === true)
  }

  async client(command: Command): Promise<Client> {
    return clientOf(this.world, await connectionOf(this.world, this.options(command)))
  }

  operator(command: Command): Promise<Operator> {
    return operatorOf(this.world, command.optsWithGlobals<GlobalOptions & { baseUrl?: string }>())
  }
}

/** Examples below the help of a command. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map(line => `  $ ${line}`).join('\n')}\n`
}
