// `npm run test:kill:events`: kills the runtime again and again while entities are created that start workflows and are
// delivered outside. In the end every change has one run and one delivery: none lost, none twice (N36, N41).
import http from 'node:http'
import { Webhook } from 'standardwebhooks'
import { check, KilledService, pause } from './service.ts'

const flags = process.argv.slice(2)
const flagOf = (flag: string, otherwise: number) =>
  Number(flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : otherwise)
const KILLS = flagOf('--kills', 8)
const PORT = flagOf('--port', 9851)
const ITEMS_A_ROUND = 15
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`

interface Entity {
  id: string
  status: string
}

interface Process extends Entity {
  triggerEvent: { newData: { id: string } }
  taskOutputs: { call?: { by?: string } }
}

/** What came in at the endpoint outside: webhook-id to item. */
const received = new Map<string, string>()
const service = new KilledService(PORT)

const receiver = http.createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', async () => {
    const headers = request.headers as Record<string, string>
    const payload = new Webhook(SECRET).verify(body, headers) as {
      data?: { newData: { id: string } }
      taskId?: string
      callbackUrl?: string
      callbackToken?: string
    }
    if (payload.data) received.set(headers['webhook-id'] ?? '', payload.data.newData.id)
    response.end('ok')
    if (payload.callbackUrl) await callBack(payload.callbackUrl, payload.callbackToken ?? '', payload.taskId ?? '')
  })
})

/** As a system outside does it: until it is heard. */
async function callBack(url: string, token: string, taskId: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ taskId, status: 'SUCCESS', output: { by: 'outside' } }),
      })
      if (answer.status < 500) return
    } catch {
      // The service is down.
    }
    await pause(250)
  }
}

async function listAll<T>(path: string, headers: Record<string, string>): Promise<T[]> {
  const all: T[] = []
  let key: string | null = ''
  while (key !== null) {
    const query: string = key ? `&nextPageKey=${encodeURIComponent(key)}` : ''
    const page: { results: T[]; nextPageKey: string | null } = await service.call(
      'GET',
      `${path}limit=1000${query}`,
      headers,
    )
    all.push(...page.results)
    key = page.nextPageKey
  }
  return all
}

async function main(): Promise<void> {
  await new Promise<void>(resolve => receiver.listen(PORT + 1, '127.0.0.1', resolve))
  await service.start()
  const headers = await service.organization('kill')
  const endpoint = { url: `http://127.0.0.1:${PORT + 1}/`, auth: { kind: 'hmac', secret: SECRET } }
  const path = '/operator/orgs/kill/endpoints'
  await service.call('PUT', `${path}/log`, service.operator, { ...endpoint, events: ['item|create'] })
  await service.call('PUT', `${path}/worker`, service.operator, endpoint)
  await service.call('POST', '/event-workflows', headers, {
    triggerKey: 'item|create',
    paths: [
      {
        tasks: [
          { name: 'first', action: 'expression', config: { output: { id: '{newData.id}' } } },
          { name: 'call', action: 'http', async: true, config: { endpoint: 'worker', body: { id: '{newData.id}' } } },
          {
            name: 'note',
            action: 'entity',
            config: { operation: 'create', entityName: 'color', object: { name: '{newData.id}' } },
          },
        ],
      },
    ],
  })
  for (let kill = 1; kill <= KILLS; kill++) {
    const answers = Array.from({ length: ITEMS_A_ROUND }, (_, n) =>
      service.call('POST', '/items', headers, { name: `item ${kill} ${n}` }).then(
        () => true,
        () => false,
      ),
    )
    await Promise.race([Promise.all(answers), pause(Math.random() * 400)])
    // Now and then the steps, calls and deliveries are well under way.
    await pause(Math.random() * (kill % 2 ? 200 : 2500))
    await service.kill()
    const answered = (await Promise.all(answers)).filter(Boolean).length
    console.log(`kill ${kill}: ${answered} of ${ITEMS_A_ROUND} answered, ${received.size} delivered so far`)
    await service.start()
    // Connections of the killed runtime are used up first.
    await service.call('GET', '/items?limit=1', headers).catch(() => undefined)
  }
  const items = (await listAll<Entity>('/items?', headers)).map(item => item.id).sort()
  const began = Date.now()
  let processes: Process[] = []
  for (;;) {
    processes = await listAll<Process>('/event-workflow-processes?', headers)
    const isOver = processes.length >= items.length && processes.every(({ status }) => status === 'complete')
    if (isOver && new Set(received.values()).size >= items.length) break
    if (Date.now() - began > 180_000) break
    await pause(500)
  }
  console.log(`all had ended ${Math.round((Date.now() - began) / 1000)} s after the last start`)
  check('runs', processes.length, items.length)
  check('runs that are complete', processes.filter(({ status }) => status === 'complete').length, items.length)
  check('each item has its run', processes.map(process => process.triggerEvent.newData.id).sort(), items)
  check('deliveries, by webhook-id', received.size, items.length)
  check('each item was delivered', [...received.values()].sort(), items)
  check(
    'callbacks in outputs',
    processes.filter(({ taskOutputs }) => taskOutputs.call?.by === 'outside').length,
    items.length,
  )
  const colors = (await listAll<{ name: string }>('/colors?', headers)).map(color => color.name).sort()
  check('what the runs wrote, once each', colors, items)
}

try {
  await main()
} finally {
  await service.end()
  receiver.close()
}
