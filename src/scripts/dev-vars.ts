// The file of local secrets, `.dev.vars`: what is there is kept, what is missing or empty, as in a copy of the example, is added.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export function ensureVars(file: string, wanted: Record<string, string>): Record<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const present = parseEnv(text)
  const added = Object.entries(wanted).filter(([name]) => !present[name])
  if (added.length > 0) {
    const lines = added.map(([name, value]) => `${name}=${value}\n`).join('')
    appendFileSync(file, text === '' || text.endsWith('\n') ? lines : `\n${lines}`, { mode: 0o600 })
  }
  return Object.fromEntries(
    Object.entries({ ...present, ...Object.fromEntries(added) }).map(([name, value]) => [name, value ?? '']),
  )
}
