// N13: the door of the local service stands at every address that the machine has, and one is enough.
import { once } from 'node:events'
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

describe('N13 the door', () => {
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
