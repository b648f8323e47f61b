// N13: the door of the local service stands at every address that the machine has, and one is enough.
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openDoors } from '../../src/scripts/door.ts'
import { freePort } from './service/start.ts'

/** For examples in books: no machine has it. */
const NOBODYS = '192.0.2.1'
let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

async function doorAt(names: string[], port: number): Promise<Server[]> {
  servers = await openDoors(names, port, () => new Promise(() => undefined))
  return servers
}

/** Takes a millisecond to answer, as the runtime does: in one piece, or, compressed, in two, the first of them at once. */
function answerAsRuntime(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['accept-encoding'] !== 'identity') response.write(' ')
  setTimeout(() => response.end('{"status":"ok"}'), 1)
}

async function medianMs(url: string, encoding: string): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < 50; call++) {
    const begun = performance.now()
    await (await fetch(url, { headers: { 'accept-encoding': encoding } })).text()
    times.push(performance.now() - begun)
  }
  return times.sort((one, other) => one - other)[25] ?? 0
}

describe('N13 the door', () => {
  it('passes on a compressed answer, which comes in two pieces, in at most three times the time of a plain one', async () => {
    const runtime = createHttpServer(answerAsRuntime).listen(0, '127.0.0.1')
    await once(runtime, 'listening')
    const port = await freePort()
    servers = await openDoors(['127.0.0.1'], port, async () => ({
      hostname: '127.0.0.1',
      port: (runtime.address() as AddressInfo).port,
    }))
    const url = `http://127.0.0.1:${port}/health`
    await medianMs(url, 'gzip')
    const plainMs = await medianMs(url, 'identity')
    expect(await medianMs(url, 'gzip')).toBeLessThanOrEqual(3 * plainMs)
    runtime.closeAllConnections()
    runtime.close()
  })

  it.each([[[NOBODYS, '127.0.0.1']], [['127.0.0.1', NOBODYS]]])(
    'opens where one of %j can be listened at',
    async names => {
      const port = await freePort()
      expect((await doorAt(names, port)).map(server => server.address())).toMatchObject([
        { address: '127.0.0.1', port },
      ])
      const caller = connect(port, '127.0.0.1')
      await once(caller, 'connect')
      caller.destroy()
    },
  )

  it('stays shut where none can be, and where the port is taken', async () => {
    await expect(doorAt([NOBODYS], await freePort())).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(doorAt([NOBODYS, '127.0.0.1'], port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    other.close()
  })
})
