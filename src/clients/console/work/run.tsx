// One run of a workflow: its tasks in order, with state, time, logs and output. What is folded out stays while it is renewed.
import { useState } from 'preact/hooks'
import type { WorkflowProcess, WorkflowTask } from '../../typescript/index.ts'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { Shown } from '../components/shown.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { Reference } from '../components/value.tsx'
import { to } from '../state/address.ts'
import { durationText } from '../state/format.ts'
import { codeText, shellWord } from '../state/quoted.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { TaskAnswer } from './task-answer.tsx'

const LOOK_MS = 2_000
const ENDED = new Set(['complete', 'failed', 'cancelled'])

export function Run({ id }: { id: string }) {
  const [isLive, setLive] = useState(true)
  const run = useLoad(
    id,
    async signal => {
      const [process, tasks] = await Promise.all([
        client.workflows.getProcess({ id, signal }),
        client.tasks.list({ queryParams: { criteria: { processId: id }, limit: 200 }, signal }),
      ])
      setLive(!ENDED.has(process.status))
      return { process, tasks: tasks.results }
    },
    isLive ? LOOK_MS : undefined,
  )
  const process = run.value?.process
  const { isBusy, start: cancel } = useOnce(async () => {
    if (await attempt('Cancelling failed', () => client.workflows.cancelProcess({ id }))) {
      tell('The run is cancelled.')
      await run.reload()
    }
  })
  return (
    <Page
      title={process?.name ?? process?.triggerKey ?? 'Run'}
      crumbs={<a href={to.work}>Work</a>}
      acts={
        process &&
        !ENDED.has(process.status) && (
          <button type="button" disabled={isBusy} onClick={() => void cancel()}>
            Cancel the run
          </button>
        )
      }
    >
      <Shown of={run}>
        {value => <Body process={value.process} tasks={value.tasks} changed={() => void run.reload()} />}
      </Shown>
      <HowTo
        way={{
          path: `/event-workflow-processes/${id}`,
          typescript: `const run = await client.workflows.getProcess({ id: ${codeText(id)} })`,
          command: `workflows show ${shellWord(id)}`,
        }}
      />
    </Page>
  )
}

function Body({ process, tasks, changed }: { process: WorkflowProcess; tasks: WorkflowTask[]; changed(): void }) {
  return (
    <div class="stack">
      <section class="panel stack">
        <p class="line">
          <State is={process.status} /> <Reference entityName="event-workflow" id={process.eventWorkflowId} />
          <span class="soft">
            begun <Time at={process.startedOn} />
            {process.endedOn && `, took ${durationText(Date.parse(process.endedOn) - Date.parse(process.startedOn))}`}
          </span>
        </p>
        {process.subtext && <p>{process.subtext}</p>}
        {process.error && <p class="fault">{process.error.detail}</p>}
        <details>
          <summary>What started it</summary>
          <pre class="code">{JSON.stringify(process.triggerEvent, null, 2)}</pre>
        </details>
      </section>
      <section class="panel" aria-label="Tasks">
        <ol class="tasks">
          {tasks.map(task => (
            <Task key={task.id} task={task} changed={changed} />
          ))}
        </ol>
      </section>
    </div>
  )
}

function Task({ task, changed }: { task: WorkflowTask; changed(): void }) {
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<'SUCCESS' | 'FAILURE' | undefined>(undefined)
  const { startedOn, endedOn, attempts } = task as { startedOn?: string; endedOn?: string; attempts?: number }
  const logs = task.logs ?? []
  return (
    <li data-open={isOpen}>
      <div class="line spread">
        <span class="line">
          <State is={task.status} /> <strong>{task.name ?? task.id}</strong>
          <span class="soft">{task.action}</span>
          {startedOn && endedOn && (
            <span class="soft">{durationText(Date.parse(endedOn) - Date.parse(startedOn))}</span>
          )}
          {attempts !== undefined && attempts > 1 && <span class="soft">{attempts} attempts</span>}
        </span>
        <span class="line">
          {task.status === 'awaiting' && (
            <>
              <button type="button" onClick={() => setStatus('SUCCESS')}>
                Complete
              </button>
              <button type="button" class="danger" onClick={() => setStatus('FAILURE')}>
                Fail
              </button>
            </>
          )}
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Logs and output<span class="hidden"> of {task.name ?? task.id}</span>
          </button>
        </span>
      </div>
      {task.subtext && <p class="soft">{task.subtext}</p>}
      {isOpen && (
        <div class="stack">
          <pre class="code">{logs.length > 0 ? logs.join('\n') : 'No lines.'}</pre>
          <pre class="code">{JSON.stringify(task.output ?? {}, null, 2)}</pre>
        </div>
      )}
      {status && <TaskAnswer task={task} status={status} close={() => setStatus(undefined)} done={changed} />}
    </li>
  )
}
