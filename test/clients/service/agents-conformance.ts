// The conformance suite of the Model Context Protocol against the real service (N55): which of its scenarios can look at us, and
// which of their checks cannot pass, with why.
import { execFile } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../../markdown.ts'
import type { Service } from './start.ts'

/** Why a check of the suite cannot pass here. */
const ITS_OWN_TOOL = 'It calls a tool that only a server made for the suite has.'
const NO_PROMPTS = 'There are no prompts and no resources here, which is allowed.'
const KEYS =
  'It is about servers that take anybody: here every call needs a key, and those who have one may call from any origin (N2).'

/** Scenarios that are about what is offered here; all others need tools, prompts and resources of the suite's own. */
const SCENARIOS: [revision: string, scenario: string, cannotPass: Record<string, string>][] = [
  ['2025-11-25', 'server-initialize', {}],
  ['2025-11-25', 'ping', {}],
  ['2025-11-25', 'tools-list', {}],
  ['2025-11-25', 'dns-rebinding-protection', { 'localhost-host-rebinding-rejected': KEYS }],
  ['2026-07-28', 'tools-list', {}],
  ['2026-07-28', 'http-header-validation', {}],
  ['2026-07-28', 'dns-rebinding-protection', { 'localhost-host-rebinding-rejected': KEYS }],
  [
    '2026-07-28',
    'caching',
    {
      'sep-2549-prompts-list-caching-hints': NO_PROMPTS,
      'sep-2549-resources-list-caching-hints': NO_PROMPTS,
      'sep-2549-resources-templates-list-caching-hints': NO_PROMPTS,
    },
  ],
  [
    '2026-07-28',
    'server-stateless',
    {
      'sep-2575-server-rejects-undeclared-capability': ITS_OWN_TOOL,
      'sep-2575-missing-capability-http-400': ITS_OWN_TOOL,
      'sep-2575-http-server-no-independent-requests-on-stream': ITS_OWN_TOOL,
      'sep-2575-server-no-log-without-loglevel': ITS_OWN_TOOL,
    },
  ],
]

/** The suite knows no keys: what it sends gets one on the way. */
function withKey({ key }: Service): Promise<{ url: string; close(): void }> {
  const target = `${key.baseUrl}/mcp`
  const server = http.createServer((request, response) => {
    const headers = { ...request.headers, 'x-api-key': key.apiKey, 'x-api-org': key.orgSlug }
    const onward = http.request(target, { method: request.method ?? 'GET', headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}/mcp`, close: () => server.close() })
    }),
  )
}

const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

async function look(url: string, revision: string, scenario: string) {
  const words = [suite, 'server', '--url', url, '--scenario', scenario, '--spec-version', revision]
  const { stdout } = await promisify(execFile)(process.execPath, words).catch(error => error as { stdout: string })
  const lines = stripVTControlCharacters(stdout).split('\n')
  const checks = (verdict: string) =>
    lines.flatMap(line => new RegExp(`\\[([\\w-]+)\\s*\\] ${verdict}`).exec(line)?.[1] ?? [])
  return { revision, scenario, passed: checks('SUCCESS').length > 0, failed: [...new Set(checks('FAILURE'))].sort() }
}

/** One that begins to pass fails the test as well: then it must come off the list. */
export function conformance(started: () => Service): void {
  it('N55 passes what the conformance suite can look at', async () => {
    const { url, close } = await withKey(started())
    try {
      expect(await Promise.all(SCENARIOS.map(([revision, scenario]) => look(url, revision, scenario)))).toEqual(
        SCENARIOS.map(([revision, scenario, cannotPass]) => ({
          revision,
          scenario,
          passed: true,
          failed: Object.keys(cannotPass).sort(),
        })),
      )
    } finally {
      close()
    }
  })
}
