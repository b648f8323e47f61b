// Work: tasks that wait for somebody first, then runs. Loads have a page of their own, and are told of here while they run.
import { useState } from 'preact/hooks'
import type { WorkflowProcess, WorkflowTask } from '../../typescript/index.ts'
import { Empty } from '../components/empty.tsx'
import { HowTo } from '../components/how-to.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Page } from '../components/page.tsx'
import { Shown } from '../components/shown.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { Reference } from '../components/value.tsx'
import { LoadBar } from '../imports/load-bar.tsx'
import { to, usePageState } from '../state/address.ts'
import { durationText } from '../state/format.ts'
import { isRunning } from '../state/load-words.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { usePages } from '../state/use-pages.ts'
import { TaskAnswer } from './task-answer.tsx'

const LOOK_MS = 4_000
const NEWEST = { orderField: 'createdOn', order: 'desc' } as const

export function Work() {
  const loads = useLoad(
    'running loads',
    signal => client.loads.list({ queryParams: { criteria: { status: ['pending', 'running'] }, limit: 20 }, signal }),
    LOOK_MS,
  )
  return (
    <Page title="Work">
      <div class="stack">
        <WaitingTasks />
        {loads.error !== undefined || (loads.value?.results.length ?? 0) > 0 ? (
          <section class="stack" aria-labelledby="running-loads">
            <h2 id="running-loads">Running loads</h2>
            <Shown of={loads} lines={2}>
              {page =>
                page.results.filter(isRunning).map(process => (
                  <div class="panel" key={process.id}>
                    <a href={to.load(process.id)}>{process.name ?? process.id}</a>
                    <LoadBar process={process} />
                  </div>
                ))
              }
            </Shown>
          </section>
        ) : null}
        <Runs />
        <p class="soft">
          Deliveries to outside endpoints are the operator’s: <a href={to.operatorDeliveries}>Operator</a>.
        </p>
      </div>
      <HowTo
        way={{
          path: '/event-workflow-tasks?criteria=%7B%22status%22%3A%22awaiting%22%7D',
          typescript:
            "const { results } = await client.tasks.list({ queryParams: { criteria: { status: 'awaiting' } } })",
          command: 'tasks list --status awaiting',
        }}
      />
    </Page>
  )
}

function TryTask({ made }: { made(): void }) {
  const { isBusy, start: make } = useOnce(async () => {
    if (await attempt('No task was made', () => client.tasks.create({ name: 'Try it' }))) {
      tell('Made a task that waits.')
      made()
    }
  })
  return (
    <button type="button" disabled={isBusy} onClick={() => void make()}>
      Make a task that waits
    </button>
  )
}

/** In the last tenth of its time a task is told as urgent. */
function isUrgent({ createdOn, expiresOn }: WorkflowTask, now: number): boolean {
  if (!expiresOn) return false
  const [begin, end] = [Date.parse(createdOn), Date.parse(expiresOn)]
  return end - now < (end - begin) / 10
}

const WAITING_COLUMNS: readonly Column<WorkflowTask>[] = [
  {
    name: 'Task',
    show: task => (
      <>
        {task.name ?? task.id}
        {task.subtext && <div class="sub">{task.subtext}</div>}
      </>
    ),
  },
  {
    name: 'Run',
    show: ({ processId }) => (processId ? <a href={to.run(processId)}>open</a> : <span class="soft">by itself</span>),
  },
  { name: 'Since', show: task => <Time at={task.createdOn} /> },
  {
    name: 'Until',
    show: task =>
      isUrgent(task, Date.now()) ? (
        <span class="state waiting">
          soon: <Time at={task.expiresOn} />
        </span>
      ) : (
        <Time at={task.expiresOn} />
      ),
  },
]

function WaitingTasks() {
  const waiting = usePages(
    'awaiting',
    ({ signal, nextPageKey }) =>
      client.tasks.list({ queryParams: { criteria: { status: 'awaiting' }, limit: 50, nextPageKey }, signal }),
    LOOK_MS,
  )
  const [answer, setAnswer] = useState<{ task: WorkflowTask; status: 'SUCCESS' | 'FAILURE' } | undefined>(undefined)
  const reload = () => void waiting.reload()
  return (
    <section class="stack" aria-labelledby="waiting">
      <h2 id="waiting">Waiting tasks</h2>
      <PagedTable
        label="Waiting tasks"
        pages={waiting}
        columns={WAITING_COLUMNS}
        keyOf={({ id }) => id}
        lines={3}
        acts={task => (
          <>
            <button type="button" onClick={() => setAnswer({ task, status: 'SUCCESS' })}>
              Complete
            </button>
            <button type="button" class="danger" onClick={() => setAnswer({ task, status: 'FAILURE' })}>
              Fail
            </button>
          </>
        )}
        empty={
          <Empty title="Nothing waits for anybody">
            <p>
              A workflow can wait for a person or a system. Make one by hand to see how it goes, then complete it here.
            </p>
            <TryTask made={reload} />
          </Empty>
        }
      />
      {answer && <TaskAnswer {...answer} close={() => setAnswer(undefined)} done={reload} />}
    </section>
  )
}

const RUN_COLUMNS: readonly Column<WorkflowProcess>[] = [
  {
    name: 'Run',
    show: run => (
      <>
        <a href={to.run(run.id)}>{run.name ?? run.triggerKey ?? run.id}</a>
        {run.subtext && <div class="sub">{run.subtext}</div>}
      </>
    ),
  },
  { name: 'Workflow', show: run => <Reference entityName="event-workflow" id={run.eventWorkflowId} /> },
  { name: 'State', show: run => <State is={run.status} /> },
  { name: 'Begun', show: run => <Time at={run.startedOn} /> },
  {
    name: 'Took',
    look: 'number',
    show: ({ startedOn, endedOn }) => endedOn && durationText(Date.parse(endedOn) - Date.parse(startedOn)),
  },
]

function Runs() {
  const { query, set } = usePageState()
  const runs = usePages(
    `runs ${query.status ?? ''}`,
    ({ signal, nextPageKey }) =>
      client.workflows.listProcesses({
        queryParams: {
          limit: 50,
          order: NEWEST,
          criteria: query.status ? { status: query.status } : undefined,
          nextPageKey,
        },
        signal,
      }),
    LOOK_MS,
  )
  return (
    <section class="stack" aria-labelledby="runs">
      <div class="line spread">
        <h2 id="runs">Runs of workflows</h2>
        <div class="steps">
          {['', 'active', 'awaiting', 'complete', 'failed', 'cancelled'].map(status => (
            <button
              key={status}
              type="button"
              aria-pressed={(query.status ?? '') === status}
              onClick={() => set({ status })}
            >
              {status === '' ? 'all' : status}
            </button>
          ))}
        </div>
      </div>
      <PagedTable
        label="Runs of workflows"
        pages={runs}
        columns={RUN_COLUMNS}
        keyOf={({ id }) => id}
        empty={<p class="soft">{query.status ? `No run is ${query.status}.` : 'No workflow has run yet.'}</p>}
      />
    </section>
  )
}
