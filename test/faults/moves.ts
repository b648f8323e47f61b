// Has the organization that everybody works in go from one database to another and back, all the time (N57).
import { pause } from '../kill/service.ts'
import { careful } from './client.ts'
import type { World } from './world.ts'

const LOOK_MS = 200
const DATABASES = ['DATA_01', 'DB']

interface Move {
  state: string
  error: string | null
}

export async function moveToAndFro(world: World, slug: string): Promise<void> {
  const random = world.random('moves')
  const path = `/operator/orgs/${slug}/move`
  const headers = world.service.operator
  for (let turn = 0; !world.isOver; turn++) {
    const database = DATABASES[turn % 2]
    const begun = await careful(world, 'POST', path, { headers, body: { database } })
    // It may have arrived before its first answer did.
    world.check('a move begins', begun.status === 202 || (begun.isRepeat && begun.status === 409), begun.body)
    if (random.chance(0.1)) await careful(world, 'POST', `${path}/cancel`, { headers })
    const { state, error } = await ended(world, path)
    world.count(`moves ${state}`)
    world.check('a move ends well', state === 'complete' || state === 'cancelled', error)
    if (state === 'cancelled') turn--
    await pause(random.below(500))
  }
}

async function ended(world: World, path: string): Promise<Move> {
  for (;;) {
    const { body } = await careful<Move>(world, 'GET', path, { headers: world.service.operator })
    if (body.state !== 'moving') return body
    await pause(LOOK_MS)
  }
}
