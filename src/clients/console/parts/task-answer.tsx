// Answering a task that waits: complete it, or fail it with a reason; logs and output go along.
import { useState } from 'preact/hooks'
import type { WorkflowTask } from '../../typescript/index.ts'
import { words } from '../state/fault-words.ts'
import { client } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { Dialog } from './dialog.tsx'
import { Field, textOf } from './field.tsx'

interface TaskAnswerProps {
  task: WorkflowTask
  status: 'SUCCESS' | 'FAILURE'
  close(): void
  done(): void
}

export function TaskAnswer({ task, status, close, done }: TaskAnswerProps) {
  const [log, setLog] = useState('')
  const [output, setOutput] = useState('')
  const [fault, setFault] = useState('')
  const isFailing = status === 'FAILURE'
  const act = isFailing ? 'Fail the task' : 'Complete the task'
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const parsed = output.trim() === '' ? undefined : (JSON.parse(output) as Record<string, unknown>)
      const logs = log.trim() === '' ? undefined : log.split('\n')
      await client.tasks.callback({ taskId: task.id, status, logs, output: parsed })
      tell(`${task.name ?? 'The task'} is ${isFailing ? 'failed' : 'complete'}.`)
      done()
      close()
    } catch (error) {
      setFault(error instanceof SyntaxError ? 'The output is no JSON.' : words(error).what)
    }
  }
  return (
    <Dialog title={`${act}: ${task.name ?? task.id}`} close={close}>
      <form class="stack" onSubmit={event => void submit(event)}>
        <Field label={isFailing ? 'Reason' : 'Note'} hint="Goes to the log of the task.">
          {field => <textarea {...field} required={isFailing} value={log} onInput={event => setLog(textOf(event))} />}
        </Field>
        <Field label="Output (JSON)" hint='For the tasks after it, for example {"approved": true}.' fault={fault}>
          {field => <textarea {...field} class="mono" value={output} onInput={event => setOutput(textOf(event))} />}
        </Field>
        <div class="line">
          <button type="submit" class={isFailing ? 'danger' : 'main'}>
            {act}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
