#!/usr/bin/env node
// The entry of the command: ties it to the process. Everything else can be run without one.

import os from 'node:os'
import process from 'node:process'
import open from 'open'
import { EXIT_INTERRUPTED } from './failure.ts'
import { run } from './program.ts'
import { Sink } from './sink.ts'

const interruption = new AbortController()
process.once('SIGINT', () => {
  interruption.abort(new DOMException('Interrupted', 'AbortError'))
  // A second Ctrl-C does not wait for anything.
  process.once('SIGINT', () => process.exit(EXIT_INTERRUPTED))
})

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: new Sink(process.stdout),
  stderr: process.stderr,
  env: process.env,
  platform: process.platform,
  homeFolder: os.homedir(),
  hostName: os.hostname(),
  // That none opens is no failure: the address is on the screen, too.
  openBrowser: address => void open(address).catch(() => {}),
  signal: interruption.signal,
})
