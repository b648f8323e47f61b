// How the same is done by curl, TypeScript and command line, to copy.

import { quoted } from '../state/quoted.ts'
import { BASE_URL, orgSlug } from '../state/session.ts'
import type { Way } from '../state/way.ts'
import { Copy } from './copy.tsx'

export function curlOf({ method = 'GET', path, body, isOperator }: Way, org: string): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(BASE_URL + path)}`,
    isOperator ? '  -H "X-Operator-Key: $OPERATOR_KEY"' : `  -H "X-Api-Key: $API_KEY" -H 'X-Api-Org: ${org}'`,
  ]
  if (body !== undefined) lines.push(`  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`)
  return lines.join(' \\\n')
}

const head = (org: string) => `import { login } from 'selvedge/client'

const client = await login({ baseUrl: '${BASE_URL}', orgSlug: '${org}', apiKey: process.env.API_KEY })
`

const OPERATOR_HEAD = `import { Operator } from 'selvedge/client'

const operator = new Operator({ baseUrl: '${BASE_URL}', operatorKey: process.env.OPERATOR_KEY })
`

export function HowTo({ way }: { way: Way }) {
  const org = orgSlug()
  const ways = [
    { name: 'curl', text: curlOf(way, org) },
    { name: 'TypeScript', text: (way.isOperator ? OPERATOR_HEAD : head(org)) + way.typescript },
    ...(way.command === undefined
      ? []
      : [{ name: 'Command line', text: `selvedge ${way.isOperator ? 'operator ' : ''}${way.command}` }]),
  ]
  return (
    <details class="how">
      <summary>How to do the same by curl, TypeScript and command line</summary>
      {ways.map(({ name, text }) => (
        <div class="code" key={name}>
          <div class="line spread">
            <h3>{name}</h3>
            <Copy text={text} what={`the ${name} lines`} />
          </div>
          <pre>{text}</pre>
        </div>
      ))}
      {way.command === undefined && <p class="soft">The command line has no command for this yet.</p>}
    </details>
  )
}
