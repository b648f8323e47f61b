// Home: what there is, how much changes, what runs and what waits.
import type { TargetedEvent } from 'preact'
import type { RootType } from '../../typescript/index.ts'
import { DayChart } from '../components/day-chart.tsx'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { Shown, Skeleton } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { LoadBar } from '../imports/load-bar.tsx'
import { to } from '../state/address.ts'
import { catalog, titleOf } from '../state/catalog.ts'
import { changesPerDay, type Day, lastDays } from '../state/changes-per-day.ts'
import { askCountsOf, counts, countText, DATA_TYPES } from '../state/counts.ts'
import { client } from '../state/session.ts'
import { useLoad } from '../state/use-load.ts'

const DAYS = 14
/** The newest changes; of days before the oldest of them nothing is told. */
const LOOKED_AT = 1_000
const LOOK_MS = 5_000

export function Home() {
  const waiting = useLoad(
    'waiting',
    signal => client.tasks.list({ queryParams: { criteria: { status: 'awaiting' }, limit: 5 }, signal }),
    LOOK_MS,
  )
  const loads = useLoad(
    'loads',
    signal => client.loads.list({ queryParams: { criteria: { status: ['pending', 'running'] }, limit: 5 }, signal }),
    LOOK_MS,
  )
  const days = useLoad('days', readDays)
  return (
    <Page title="Home">
      <div class="stack">
        {catalog.value ? <Tiles /> : <Skeleton lines={3} />}
        <div class="two">
          <section class="panel stack" aria-labelledby="home-changes">
            <h2 id="home-changes">
              Changes per day <a href={to.history}>all</a>
            </h2>
            <Shown of={days} lines={4}>
              {value => <DayChart days={value} />}
            </Shown>
          </section>
          <div class="stack">
            <section class="panel stack" aria-labelledby="home-waiting">
              <h2 id="home-waiting">Waiting tasks</h2>
              <Shown of={waiting} lines={2}>
                {page =>
                  page.results.length === 0 ? (
                    <p class="soft">Nothing waits for anybody.</p>
                  ) : (
                    <ul>
                      {page.results.map(task => (
                        <li key={task.id} class="line spread">
                          <a href={task.processId ? to.run(task.processId) : to.work}>{task.name ?? task.id}</a>
                          <span class="soft">
                            <Time at={task.createdOn} />
                          </span>
                        </li>
                      ))}
                    </ul>
                  )
                }
              </Shown>
            </section>
            <section class="panel stack" aria-labelledby="home-loads">
              <h2 id="home-loads">Running loads</h2>
              <Shown of={loads} lines={2}>
                {page =>
                  page.results.length === 0 ? (
                    <p class="line">
                      <span class="soft">No load runs.</span> <a href={to.newLoad}>Load a file</a>
                    </p>
                  ) : (
                    page.results.map(process => (
                      <div key={process.id}>
                        <a href={to.load(process.id)}>{process.name ?? process.id}</a>
                        <LoadBar process={process} />
                      </div>
                    ))
                  )
                }
              </Shown>
            </section>
          </div>
        </div>
      </div>
      <HowTo
        way={{
          path: '/change-history?limit=100',
          typescript: 'for await (const change of client.changes.poll()) console.log(change)',
          command: 'changes --follow',
        }}
      />
    </Page>
  )
}

const isData = ({ entityType }: RootType) => DATA_TYPES.some(name => name === entityType)

function Tiles() {
  const roots = catalog.value?.roots ?? []
  const others = roots.filter(root => !isData(root))
  const askOthers = ({ currentTarget }: TargetedEvent<HTMLDetailsElement>) => {
    if (currentTarget.open) void askCountsOf(others.map(({ entityType }) => entityType))
  }
  return (
    <>
      <div class="tiles">{roots.filter(isData).map(tile)}</div>
      <details onToggle={askOthers}>
        <summary>Other entity types</summary>
        <div class="more-tiles">{others.map(tile)}</div>
      </details>
    </>
  )
}

function tile({ entityType, rootTypePath, path }: RootType) {
  const count = counts.value.get(entityType)
  return (
    <a key={path} class="tile" href={to.entities(path)}>
      <span>{titleOf(path)}</span>
      <span class="big">{count ? countText(count) : '·'}</span>
      <span class="soft mono">{rootTypePath}</span>
    </a>
  )
}

async function readDays(signal: AbortSignal): Promise<Day[]> {
  const days = lastDays(Date.now(), DAYS)
  const createdOn = `BETWEEN ${days[0]} and ${days.at(-1)}`
  const { results, nextPageKey } = await client.changes.list({ criteria: { createdOn }, limit: LOOKED_AT, signal })
  const times = results.map(change => change.createdOn)
  return changesPerDay(days, times, nextPageKey === null)
}
