// The door of the local service: each connection goes straight through to one of its own to the runtime that holds the Worker.
//
// Wrangler's own proxy keeps a few connections and sends everybody's requests over them. When a body breaks off in the middle, or is
// refused while it is still being sent, such a connection breaks and takes the next request, which is somebody else's, with it.

import { lookup } from 'node:dns/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Target {
  hostname: string
  port: number
}

/** Of addresses that the host name has and this machine does not, such as those of IPv6 where that is switched off. */
const NOT_OURS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Listens on every address of the host name. `target` tells where the runtime listens, once it does. */
export async function openDoor(hostname: string, port: number, target: () => Promise<Target>): Promise<Server[]> {
  const addresses = await lookup(hostname, { all: true })
  return openDoors(
    addresses.map(({ address }) => address),
    port,
    target,
  )
}

/** At those of the addresses that this machine has; one is enough. */
export async function openDoors(
  addresses: readonly string[],
  port: number,
  target: () => Promise<Target>,
): Promise<Server[]> {
  const tries = await Promise.allSettled(addresses.map(address => listening(address, port, target)))
  const servers = tries.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
  const faults = tries.flatMap(each => (each.status === 'rejected' ? each.reason : []))
  const fault = faults.find(({ code }) => !NOT_OURS.includes(code)) ?? (servers.length === 0 && faults[0])
  if (!fault) return servers
  for (const server of servers) server.close()
  throw fault
}

/** `noDelay` on both sides: a compressed answer comes in two pieces, and Nagle's algorithm holds the second back for 40 ms. */
function listening(address: string, port: number, target: () => Promise<Target>): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, caller => void lead(caller, target))
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, address, () => resolve(server))
  })
}

async function lead(caller: Socket, target: () => Promise<Target>): Promise<void> {
  caller.on('error', () => caller.destroy())
  const { hostname, port } = await target()
  if (caller.destroyed) return
  const runtime = connect({ host: hostname, port, allowHalfOpen: true, noDelay: true })
  runtime.on('error', () => caller.destroy())
  caller.once('close', () => runtime.destroy())
  runtime.once('close', () => caller.destroy())
  caller.pipe(runtime)
  runtime.pipe(caller)
}
