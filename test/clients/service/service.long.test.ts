// End to end: one service, started as a person starts it; the client and the command do everything with it.

import { afterAll, beforeAll } from 'vitest'
import { agents } from './agents.ts'
import { backup } from './backup.ts'
import { command } from './command.ts'
import { entities } from './entities.ts'
import { examples } from './examples.ts'
import { localStart } from './local-start.ts'
import { people } from './people.ts'
import { program } from './program.ts'
import { type Service, startService } from './start.ts'
import { work } from './work.ts'

let service: Service
const started = () => service

beforeAll(async () => {
  service = await startService()
}, 320_000)

afterAll(() => service?.stop())

localStart(started)
entities(started)
work(started)
people(started)
command(started)
agents(started)
backup(started)
examples(started)
program(started)
