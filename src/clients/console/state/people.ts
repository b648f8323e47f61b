// Who made a change, in words: members by email, keys by name, loads and runs by where they lead.
import { signal } from '@preact/signals'
import type { ChangeRecord } from '../../typescript/index.ts'
import { to } from './address.ts'
import { client, me } from './session.ts'

const members = signal<ReadonlyMap<string, string>>(new Map())
const keys = signal<ReadonlyMap<string, string>>(new Map())
let isAsked = false

/** Once for a visit; where it is refused, the kind of the caller has to do. */
function ask(): void {
  // The operator may be here without a session.
  if (isAsked || !me.value) return
  isAsked = true
  const quiet = () => undefined
  client.people
    .list({ limit: 1000 })
    .then(({ results }) => {
      members.value = new Map(results.map(({ id, email }) => [id, email]))
    })
    .catch(quiet)
  client.keys
    .list({ limit: 1000 })
    .then(({ results }) => {
      keys.value = new Map(results.map(({ id, name }) => [id, name]))
    })
    .catch(quiet)
}

export interface Who {
  text: string
  href?: string
}

const KINDS: Record<ChangeRecord['createdByType'], string> = {
  user: 'A member',
  app: 'A key',
  operator: 'The operator',
  loader: 'A load',
  workflow: 'A workflow',
}

export function whoMade({ createdByType, createdById }: Pick<ChangeRecord, 'createdByType' | 'createdById'>): Who {
  ask()
  const id = createdById ?? ''
  if (createdByType === 'user') {
    return { text: id === me.value?.user?.id ? 'You' : (members.value.get(id) ?? KINDS.user) }
  }
  if (createdByType === 'app') return { text: keys.value.has(id) ? `Key “${keys.value.get(id)}”` : KINDS.app }
  if (createdByType === 'loader' && id) return { text: KINDS.loader, href: to.load(id) }
  if (createdByType === 'workflow' && id) return { text: KINDS.workflow, href: to.run(id) }
  return { text: KINDS[createdByType] }
}

export function memberName(id: string | null): string {
  ask()
  return id === null ? '' : (members.value.get(id) ?? keys.value.get(id) ?? id)
}
