// The flags of a command. One that it does not know ends it in a line, with those that it knows, instead of a stack trace.
import { type ParseArgsConfig, parseArgs } from 'node:util'

export function flagsOf<const Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const known = Object.keys(config.options ?? {}).map(name => `--${name}`)
    const [fault] = (error as Error).message.split('. ')
    console.error(`${fault}. Known here: ${known.join(', ')}.`)
    process.exit(1)
  }
}
