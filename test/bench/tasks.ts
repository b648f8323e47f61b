// Awaiting tasks that are all called back at once: each must end as its own callback says.
import type { Target } from './client.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { setUp } from './service.ts'

interface Task {
  id: string
  status: string
  output: { n?: number }
}

interface Page {
  results: Task[]
  nextPageKey: string | null
}

const statusOf = (n: number) => (n % 2 ? 'FAILURE' : 'SUCCESS')
const CREATED_AT_ONCE = 16

async function awaiting(target: Target, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const body = { name: 'wait', async: true }
    const some = Array.from({ length: Math.min(CREATED_AT_ONCE, count - ids.length) }, () =>
      target.call<Task>({ method: 'POST', path: '/api/event-workflow-tasks', body }),
    )
    ids.push(...(await Promise.all(some)).map(task => task.id))
  }
  return ids
}

async function all(target: Target): Promise<Map<string, Task>> {
  const tasks = new Map<string, Task>()
  for (let key: string | null = ''; key !== null; ) {
    const path = `/api/event-workflow-tasks?limit=1000${key ? `&nextPageKey=${encodeURIComponent(key)}` : ''}`
    const page: Page = await target.call<Page>({ method: 'GET', path })
    for (const task of page.results) tasks.set(task.id, task)
    key = page.nextPageKey
  }
  return tasks
}

export async function benchTasks(service: Runtime, isQuick: boolean): Promise<Check[]> {
  const { target } = await setUp(service)
  const count = isQuick ? 200 : 1000
  const ids = await awaiting(target, count)
  const started = performance.now()
  await Promise.all(
    ids.map((taskId, n) => {
      const body = { taskId, status: statusOf(n), output: { n } }
      return target.call({ method: 'POST', path: '/api/external-events/callback', body })
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const tasks = await all(target)
  const right = ids.filter((id, n) => {
    const { status, output } = tasks.get(id) ?? { status: '', output: {} }
    return status === (statusOf(n) === 'SUCCESS' ? 'complete' : 'failed') && output.n === n
  })
  target.close()
  return [
    {
      name: `${count} awaiting tasks called back at once: end right`,
      ratio: right.length / count,
      target: 1,
      isAtLeast: true,
      note: `${Math.round(count / seconds)}/s`,
    },
  ]
}
