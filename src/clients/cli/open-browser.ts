// Opens an address with the system's own browser. That none opens is no failure: the address is on the screen, too.

import { spawn } from 'node:child_process'
import process from 'node:process'

const OPENERS: Readonly<Record<string, readonly [command: string, ...words: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openBrowser(address: string): void {
  const [command, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...words, address], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
