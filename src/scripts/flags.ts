// The flags of a command. One that it does not know, and one that npm has kept for itself, ends it in a line that says what to type,
// before anything is done.
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

export function flagsOf<const Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  const options = config.options ?? {}
  refuseSwallowed(options)
  try {
    return parseArgs(config)
  } catch (error) {
    const known = Object.keys(options).map(name => `--${name}`)
    const [fault] = (error as Error).message.split('. ')
    return refuse(`${fault}. Known here: ${known.join(', ')}.`)
  }
}

export function refuse(fault: string): never {
  console.error(fault)
  process.exit(1)
}

/** `--dry-run` without a `--` before it is a flag of npm, which tells the script of it by a variable; the script would go on without. */
function refuseSwallowed(options: Options): void {
  const command = process.env.npm_lifecycle_event
  const swallowed = Object.entries(options).filter(([name]) => keptByNpm(name))
  if (!command || swallowed.length === 0) return
  const names = swallowed.map(([name]) => `--${name}`).join(' and ')
  const words = rightWords(swallowed).join(' ')
  refuse(
    `npm keeps ${names} for itself. Nothing was done; what is meant stands behind --:\n\n  npm run ${command} -- ${words}`,
  )
}

const keptByNpm = (name: string) => process.env[`npm_config_${name.replaceAll('-', '_')}`]

/** Newer npms say `true` for a flag with a value, and hand on the value alone; of several, nobody knows which is whose. */
function rightWords(swallowed: [string, Options[string]][]): string[] {
  const rest = process.argv.slice(2)
  const parted = swallowed.filter(([name, { type }]) => type === 'string' && keptByNpm(name) === 'true')
  const words = swallowed.flatMap(([name, { type }]) => {
    if (type === 'boolean') return [`--${name}`]
    if (!parted.some(([other]) => other === name)) return [`--${name}`, keptByNpm(name) ?? '']
    return [`--${name}`, (parted.length === 1 && rest.shift()) || '…']
  })
  return [...words, ...(parted.length > 1 ? rest.filter(word => word.startsWith('-')) : rest)]
}
