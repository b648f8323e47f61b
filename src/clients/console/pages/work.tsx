// Work: tasks that wait for somebody first, then runs. Loads have a page of their own, and are told of here while they run.
import { useState } from 'preact/hooks'
import type { WorkflowProcess, WorkflowTask } from '../../typescript/index.ts'
import { Empty } from '../parts/empty.tsx'
import { HowTo } from '../parts/how-to.tsx'
import { labelled } from '../parts/labelled.ts'
import { LoadBar } from '../parts/load-bar.tsx'
import { Page } from '../parts/page.tsx'
import { Shown } from '../parts/shown.tsx'
import { State } from '../parts/state.tsx'
import { TaskAnswer } from '../parts/task-answer.tsx'
import { Time } from '../parts/time.tsx'
import { Reference } from '../parts/value.tsx'
import { to, usePageState } from '../state/address.ts'
import { durationText } from '../state/format.ts'
import { isRunning } from '../state/load-words.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'

const LOOK_MS = 4_000
const NEWEST = { orderField: 'createdOn', order: 'desc' } as const

export function Work() {
  const { query, set } = usePageState()
  const waiting = useLoad(
    'awaiting',
    signal => client.tasks.list({ queryParams: { criteria: { status: 'awaiting' }, limit: 100 }, signal }),
    LOOK_MS,
  )
  const runs = useLoad(
    `runs ${query.status ?? ''}`,
    signal =>
      client.workflows.listProcesses({
        queryParams: { limit: 50, order: NEWEST, criteria: query.status ? { status: query.status } : undefined },
        signal,
      }),
    LOOK_MS,
  )
  const loads = useLoad(
    'running loads',
    signal => client.loads.list({ queryParams: { criteria: { status: ['pending', 'running'] }, limit: 20 }, signal }),
    LOOK_MS,
  )
  return (
    <Page title="Work">
      <div class="stack">
        <section class="stack" aria-labelledby="waiting">
          <h2 id="waiting">Waiting tasks</h2>
          <Shown of={waiting} lines={3}>
            {page =>
              page.results.length === 0 ? (
                <Empty title="Nothing waits for anybody">
                  <p>
                    A workflow can wait for a person or a system. Make one by hand to see how it goes, then complete it
                    here.
                  </p>
                  <TryTask made={() => void waiting.reload()} />
                </Empty>
              ) : (
                <WaitingTable tasks={page.results} changed={() => void waiting.reload()} />
              )
            }
          </Shown>
        </section>
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
          <Shown of={runs} lines={4}>
            {page =>
              page.results.length === 0 ? (
                <p class="soft">{query.status ? `No run is ${query.status}.` : 'No workflow has run yet.'}</p>
              ) : (
                <RunTable runs={page.results} />
              )
            }
          </Shown>
        </section>
        <p class="soft">
          Deliveries to outside endpoints are the operator’s: <a href={to.operator}>Operator</a>.
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
  const make = async () => {
    if (await attempt('No task was made', () => client.tasks.create({ name: 'Try it' }))) {
      tell('Made a task that waits.')
      made()
    }
  }
  return (
    <button type="button" onClick={() => void make()}>
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

function WaitingTable({ tasks, changed }: { tasks: readonly WorkflowTask[]; changed(): void }) {
  const [answer, setAnswer] = useState<{ task: WorkflowTask; status: 'SUCCESS' | 'FAILURE' } | undefined>(undefined)
  return (
    <>
      <div class="scroll">
        <table class="list cards" ref={labelled}>
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">Run</th>
              <th scope="col">Since</th>
              <th scope="col">Until</th>
              <th scope="col">
                <span class="hidden">Acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tasks.map(task => (
              <tr key={task.id}>
                <th scope="row">
                  {task.name ?? task.id}
                  {task.subtext && <div class="sub">{task.subtext}</div>}
                </th>
                <td>
                  {task.processId ? <a href={to.run(task.processId)}>open</a> : <span class="soft">by itself</span>}
                </td>
                <td>
                  <Time at={task.createdOn} />
                </td>
                <td>
                  {isUrgent(task, Date.now()) ? (
                    <span class="state waiting">
                      soon: <Time at={task.expiresOn} />
                    </span>
                  ) : (
                    <Time at={task.expiresOn} />
                  )}
                </td>
                <td class="acts">
                  <span class="line">
                    <button type="button" onClick={() => setAnswer({ task, status: 'SUCCESS' })}>
                      Complete
                    </button>
                    <button type="button" class="danger" onClick={() => setAnswer({ task, status: 'FAILURE' })}>
                      Fail
                    </button>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answer && <TaskAnswer {...answer} close={() => setAnswer(undefined)} done={changed} />}
    </>
  )
}

function RunTable({ runs }: { runs: readonly WorkflowProcess[] }) {
  return (
    <div class="scroll">
      <table class="list cards" ref={labelled}>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Workflow</th>
            <th scope="col">State</th>
            <th scope="col">Begun</th>
            <th scope="col" class="number">
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map(run => (
            <tr key={run.id}>
              <th scope="row">
                <a href={to.run(run.id)}>{run.name ?? run.triggerKey ?? run.id}</a>
                {run.subtext && <div class="sub">{run.subtext}</div>}
              </th>
              <td>
                <Reference entityName="event-workflow" id={run.eventWorkflowId} />
              </td>
              <td>
                <State is={run.status} />
              </td>
              <td>
                <Time at={run.startedOn} />
              </td>
              <td class="number">{run.endedOn && durationText(Date.parse(run.endedOn) - Date.parse(run.startedOn))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
