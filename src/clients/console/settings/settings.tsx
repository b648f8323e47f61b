// People and keys: keys, members and invitations, sessions and password, the audit trail.

import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { PartTabs } from '../components/part-tabs.tsx'
import { to } from '../state/address.ts'
import { ownValue } from '../state/own-value.ts'
import { isAdmin } from '../state/session.ts'
import type { Way } from '../state/way.ts'
import { AuditTrail } from './audit-trail.tsx'
import { KeyList } from './key-list.tsx'
import { MemberList } from './member-list.tsx'
import { SessionList } from './session-list.tsx'

interface Part {
  title: string
  show: () => preact.JSX.Element
  forAdmins: boolean
  way: Way
}

const PARTS: Record<string, Part> = {
  keys: {
    title: 'Keys',
    show: () => <KeyList />,
    forAdmins: false,
    way: { path: '/api-keys', typescript: 'const { results } = await client.keys.list()', command: 'keys list' },
  },
  members: {
    title: 'Members',
    show: () => <MemberList />,
    forAdmins: false,
    way: { path: '/users', typescript: 'const { results } = await client.people.list()', command: 'users list' },
  },
  sessions: {
    title: 'Sessions and password',
    show: () => <SessionList />,
    forAdmins: false,
    way: {
      path: '/auth/sessions',
      typescript: 'const { results } = await client.people.sessions()',
      command: 'users sessions',
    },
  },
  audit: {
    title: 'Audit',
    show: () => <AuditTrail />,
    forAdmins: true,
    way: { path: '/audit', typescript: 'const { results } = await client.people.audit()', command: 'users audit' },
  },
}

export function Settings({ part }: { part: string }) {
  const chosen = ownValue(PARTS, part) ?? PARTS.keys
  if (!chosen) return null
  return (
    <Page title={chosen.title} crumbs="Settings">
      <PartTabs
        label="Settings"
        current={part}
        parts={Object.entries(PARTS)
          .filter(([, { forAdmins }]) => !forAdmins || isAdmin())
          .map(([name, { title }]) => ({ name, title, href: to.settings(name) }))}
      />
      <div class="stack settings">{chosen.show()}</div>
      <HowTo way={chosen.way} />
    </Page>
  )
}
