// How the same is done by curl, TypeScript and command line, to copy.

import { signal, useSignal } from '@preact/signals'
import { useId, useLayoutEffect } from 'preact/hooks'
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

/** What the page that is open does, for the button in its head. */
const shownWay = signal<Way | undefined>(undefined)

/** Says how the page's own call is made elsewhere; the button in the head of the page shows it. */
export function HowTo({ way }: { way: Way }) {
  const key = JSON.stringify(way)
  useLayoutEffect(() => {
    shownWay.value = way
    return () => {
      shownWay.value = undefined
    }
  }, [key])
  return null
}

export function HowToButton() {
  const id = useId().replaceAll(':', '')
  const isOpen = useSignal(false)
  const way = shownWay.value
  if (!way) return null
  return (
    <>
      <button type="button" class="how-button" popoverTarget={id} title="How to do the same by API">
        <span aria-hidden="true" class="mono">
          {'</>'}
        </span>
        <span class="hidden">How to do the same by API</span>
      </button>
      <section
        id={id}
        popover="auto"
        class="how"
        aria-label="How to do the same by API"
        onBeforeToggle={({ newState }) => {
          isOpen.value = newState === 'open'
        }}
      >
        {isOpen.value && <CodeList way={way} />}
      </section>
    </>
  )
}

function CodeList({ way }: { way: Way }) {
  const org = orgSlug()
  const ways = [
    { name: 'curl', text: curlOf(way, org) },
    { name: 'TypeScript', text: (way.isOperator ? OPERATOR_HEAD : head(org)) + way.typescript },
    ...(way.command === undefined
      ? []
      : [{ name: 'Command line', text: `selvedge ${way.isOperator ? 'operator ' : ''}${way.command}` }]),
  ]
  return (
    <>
      {ways.map(({ name, text }) => (
        <div class="code" key={name}>
          <div class="line spread">
            <h2>{name}</h2>
            <Copy text={text} what={`the ${name} lines`} />
          </div>
          <pre>{text}</pre>
        </div>
      ))}
      {way.command === undefined && <p class="soft">The command line has no command for this yet.</p>}
    </>
  )
}
