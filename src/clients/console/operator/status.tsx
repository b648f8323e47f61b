// The deployment at a glance: what is deployed, whether its stores answer, what stands still.
import type { ComponentChildren } from 'preact'
import type { DeploymentStatus } from '../../typescript/index.ts'
import { ListTable } from '../components/list-table.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { counted, numberText } from '../state/format.ts'
import { useLoad } from '../state/use-load.ts'
import { DeadLetters } from './dead-letters.tsx'
import { type OfOperator, OperatorPage } from './frame.tsx'

const LOOK_MS = 10_000

export function StatusPage({ operator }: OfOperator) {
  const status = useLoad('status', signal => operator.status({ signal }), LOOK_MS)
  return (
    <OperatorPage
      title="Status"
      way={{
        path: '/operator/status',
        typescript: 'const status = await operator.status()',
        command: 'status',
      }}
    >
      <Shown of={status}>
        {value => (
          <>
            <Verdict of={value} />
            <Tiles of={value} />
            <Stores of={value} />
          </>
        )}
      </Shown>
      <DeadLetters operator={operator} changed={() => void status.reload()} />
      <Secrets operator={operator} />
    </OperatorPage>
  )
}

/** What is wrong, each as a sentence that says what to do. */
function faultsOf({ schema, missingBindings, checks }: DeploymentStatus): string[] {
  return [
    ...(schema.applied === schema.expected
      ? []
      : [
          `The database is at ${schema.applied ?? 'no schema'}, the code needs ${schema.expected}: run the migrations.`,
        ]),
    ...missingBindings.map(name => `The binding ${name} is missing: add it to wrangler.toml and deploy.`),
    ...checks.filter(({ isOk }) => !isOk).map(({ name }) => `${nameOf(name)} does not answer.`),
  ]
}

const NAMES: Record<string, string> = { database: 'The database', files: 'The bucket of files' }
const nameOf = (name: string) => NAMES[name] ?? name

function Verdict({ of: status }: { of: DeploymentStatus }) {
  const { version, environment, schema } = status
  const isWell = status.status === 'ok'
  const facts: [string, string][] = [
    ['Version', version],
    ['Environment', environment],
    ['Schema', schema.applied ?? 'none'],
  ]
  return (
    <section class={isWell ? 'panel verdict' : 'panel verdict bad'} aria-labelledby="verdict">
      <div>
        <h2 id="verdict" class="big-title">
          <span class={isWell ? 'state done' : 'state failed'}>{isWell ? 'All is well' : 'Something is wrong'}</span>
        </h2>
        {faultsOf(status).map(fault => (
          <p key={fault} class="fault">
            {fault}
          </p>
        ))}
      </div>
      <dl class="facts">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="mono">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface TileProps {
  name: string
  number: number
  href?: string
  children: ComponentChildren
}

function Tile({ name, number, href, children }: TileProps) {
  const inside = (
    <>
      <span class="soft">{name}</span>
      <span class="big">{numberText(number)}</span>
      <span class="sub">{children}</span>
    </>
  )
  return href === undefined ? (
    <div class="tile">{inside}</div>
  ) : (
    <a class="tile" href={href}>
      {inside}
    </a>
  )
}

function Tiles({ of: { organizations, loads, deliveries, deadLetters } }: { of: DeploymentStatus }) {
  return (
    <div class="tiles four">
      <Tile name="Organizations" number={organizations.total} href={to.operatorOrgs}>
        {organizations.suspended === 0 ? 'none suspended' : `${numberText(organizations.suspended)} suspended`}
      </Tile>
      <Tile name="Loads under way" number={loads.waiting}>
        {loads.oldestStepOn ? (
          <>
            the oldest moved <Time at={loads.oldestStepOn} />
          </>
        ) : (
          'nothing waits'
        )}
      </Tile>
      <Tile name="Delivered in 24 hours" number={deliveries.delivered} href={to.operatorDeliveries}>
        {numberText(deliveries.pending)} pending ·{' '}
        <span class={deliveries.failed > 0 ? 'fault' : ''}>{numberText(deliveries.failed)} failed</span>
      </Tile>
      <Tile name="Dead letters" number={deadLetters.total} {...(deadLetters.total > 0 && { href: '#dead-letters' })}>
        {deadLetters.oldestOn ? (
          <>
            the oldest of <Time at={deadLetters.oldestOn} />
          </>
        ) : (
          'the queues gave up nothing'
        )}
      </Tile>
    </div>
  )
}

type Check = DeploymentStatus['checks'][number]

function Stores({ of: { checks } }: { of: DeploymentStatus }) {
  return (
    <section class="stack" aria-labelledby="stores">
      <h2 id="stores">Stores</h2>
      <ListTable
        label="Stores"
        rows={checks}
        keyOf={({ name }: Check) => name}
        columns={[
          { name: 'Store', show: ({ name }) => nameOf(name) },
          {
            name: 'State',
            show: ({ isOk }) =>
              isOk ? <span class="state done">answers</span> : <span class="state failed">does not answer</span>,
          },
          { name: 'Within', look: 'number', show: ({ ms }) => `${numberText(ms)} ms` },
        ]}
      />
    </section>
  )
}

function Secrets({ operator }: OfOperator) {
  const secrets = useLoad('secrets', signal => operator.secrets({ signal }))
  return (
    <section class="stack" aria-labelledby="secrets">
      <h2 id="secrets">Sealed secrets</h2>
      <Shown of={secrets} lines={2}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="soft">No secret is kept for anybody: no endpoint and no identity provider has one.</p>
          ) : (
            <>
              <ListTable
                label="Sealed secrets"
                rows={results}
                keyOf={({ key }) => key}
                columns={[
                  { name: 'Key', look: 'mono', show: ({ key }) => key },
                  { name: 'State', show: ({ isInForce }) => (isInForce ? 'in force' : 'the one before') },
                  { name: 'Secrets', look: 'number', show: ({ secrets: count }) => numberText(count) },
                ]}
              />
              <p class="soft">
                {results.length === 1
                  ? 'All are sealed under one key.'
                  : `${counted(results.length, 'key')} are in use. A change of SECRETS_KEY is over when one is left.`}
              </p>
            </>
          )
        }
      </Shown>
    </section>
  )
}
