// Answering a task that waits: complete it, or fail it with a reason; logs and output go along.
import { useState } from 'preact/hooks'
import type { WorkflowTask } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { client } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'

interface TaskAnswerProps {
  task: WorkflowTask
  status: 'SUCCESS' | 'FAILURE'
  close(): void
  done(): void
}

function outputOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Error('The output is no JSON.')
  }
}

export function TaskAnswer({ task, status, close, done }: TaskAnswerProps) {
  const [log, setLog] = useState('')
  const [output, setOutput] = useState('')
  const isFailing = status === 'FAILURE'
  const act = isFailing ? 'Fail the task' : 'Complete the task'
  const { fault, isBusy, onSubmit } = useForm(async () => {
    const logs = log.trim() === '' ? undefined : log.split('\n')
    await client.tasks.callback({ taskId: task.id, status, logs, output: outputOf(output) })
    tell(`${task.name ?? 'The task'} is ${isFailing ? 'failed' : 'complete'}.`)
    done()
    close()
  })
  return (
    <Dialog
      title={`${act}: ${task.name ?? task.id}`}
      close={close}
      isBusy={isBusy}
      isDirty={(log + output).trim() !== ''}
    >
      <form class="stack" onSubmit={onSubmit}>
        <Field label={isFailing ? 'Reason' : 'Note'} hint="Goes to the log of the task.">
          {field => <textarea {...field} required={isFailing} value={log} onInput={event => setLog(textOf(event))} />}
        </Field>
        <Field label="Output (JSON)" hint='For the tasks after it, for example {"approved": true}.' fault={fault}>
          {field => <textarea {...field} class="mono" value={output} onInput={event => setOutput(textOf(event))} />}
        </Field>
        <FormEnd act={act} isDanger={isFailing} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}
