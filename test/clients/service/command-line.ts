// The command as people run it, a process of its own, against the real service.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Service } from './start.ts'

const main = path.resolve(import.meta.dirname, '../../../src/clients/cli/main.ts')

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface CommandLine {
  folder: string
  run(...words: string[]): Promise<Ran>
  /** With other variables in the environment. */
  as(variables: Record<string, string>, ...words: string[]): Promise<Ran>
  /** What the command prints with --json; a failure fails the test. */
  json<T = Record<string, unknown>>(...words: string[]): Promise<T>
  end(): Promise<void>
}

export async function commandLine(service: Service): Promise<CommandLine> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'selvedge-e2e-'))
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: folder,
    SELVEDGE_BASE_URL: service.key.baseUrl,
    SELVEDGE_ORG: service.key.orgSlug,
    SELVEDGE_API_KEY: service.key.apiKey,
    SELVEDGE_OPERATOR_KEY: service.operator.operatorKey,
    NODE_NO_WARNINGS: '1',
  }
  const as = (variables: Record<string, string>, ...words: string[]) =>
    new Promise<Ran>(resolve => {
      const options = { env: { ...env, ...variables }, cwd: folder }
      const child = execFile(process.execPath, [main, ...words], options, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
      })
      child.stdin?.end()
    })
  const run = (...words: string[]) => as({}, ...words)
  const json = async <T>(...words: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(...words, '--json')
    if (code !== 0) throw new Error(`selvedge ${words.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }
  return { folder, run, as, json, end: () => rm(folder, { recursive: true, force: true }) }
}
