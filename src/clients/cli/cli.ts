// What every command gets: the world, and from its options the client and the output.

import type { Command } from 'commander'
import { ApiError, type Client, type Operator } from '../typescript/index.ts'
import { Bookmarks } from './bookmarks.ts'
import { type Connection, clientOf, connectionOf, type GlobalOptions, operatorOf } from './connection.ts'
import { Failure } from './failure.ts'
import { Output, type World } from './terminal.ts'

/** For commands that watch for long: several minutes without an answer are survived. */
export const PATIENT_RETRIES = 30

export class Cli {
  readonly world: World
  readonly bookmarks: Bookmarks

  constructor(world: World) {
    this.world = world
    this.bookmarks = new Bookmarks(world)
  }

  options(command: Command): GlobalOptions {
    return command.optsWithGlobals<GlobalOptions>()
  }

  output(command: Command): Output {
    return new Output(this.world, this.options(command).json === true)
  }

  async client(command: Command): Promise<Client> {
    return this.clientOf(await connectionOf(this.world, this.options(command)))
  }

  async clientOf(connection: Connection): Promise<Client> {
    return clientOf(this.world, connection, await this.bookmarks.for(connection))
  }

  /** A client for what only people may do. A key is told so, instead of being advised to become another key. */
  async person<T>(command: Command, act: (client: Client) => Promise<T>): Promise<T> {
    const connection = await connectionOf(this.world, this.options(command))
    try {
      return await act(await this.clientOf(connection))
    } catch (error) {
      const isKey = connection.apiKey !== undefined
      if (!isKey || !(error instanceof ApiError) || error.status !== 403) throw error
      const isSet = this.world.env.SELVEDGE_API_KEY
      const profile = isSet ? ' Then unset SELVEDGE_API_KEY, which would win, or add --profile default.' : ''
      throw new Failure({
        what: 'A key cannot do this; a person can.',
        why: `${error.message} The ${connection.source} holds a key. (403, ${error.code})`,
        todo: `Sign in with \`selvedge login --email YOUR_EMAIL\` or \`selvedge login --sso\` first.${profile}`,
      })
    }
  }

  operator(command: Command): Promise<Operator> {
    return operatorOf(this.world, command.optsWithGlobals<GlobalOptions & { baseUrl?: string }>())
  }
}

/** Examples below the help of a command. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map(line => `  $ ${line}`).join('\n')}\n`
}
