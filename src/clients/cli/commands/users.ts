// The people of an organization. For those who signed in themselves; keys cannot do these.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { askSecret } from '../prompt.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const userColumns = ['id', 'email', 'role', 'joinedOn'].map(key => ({ key }))
const invitationColumns = ['id', 'email', 'role', 'expiresOn', 'acceptedOn', 'revokedOn'].map(key => ({ key }))
const sessionColumns = ['id', 'method', 'createdOn', 'lastUsedOn', 'expiresOn', 'isCurrent'].map(key => ({ key }))
export const auditColumns = ['createdOn', 'action', 'actorType', 'actorId', 'subjectId', 'detail'].map(key => ({ key }))

export function addUsers(program: Command, cli: Cli): void {
  const users = program
    .command('users')
    .description('The people of the organization: list, invite, change roles, remove, end sessions, audit.')
    .addHelpText('after', examples('selvedge users list', 'selvedge users invite new@example.com --role member'))

  withPages(users.command('list'))
    .description('List the people.')
    .addHelpText('after', examples('selvedge users list'))
    .action(async (flags: PageFlags, command: Command) => {
      await cli.person(command, client =>
        printPages(cli, command, flags, { columns: userColumns, read: place => client.people.list(place) }),
      )
    })

  users
    .command('invite')
    .description('Invite a person and print the one-time link, this once.')
    .argument('<email>')
    .option('--role <role>', 'admin or member', 'member')
    .addHelpText('after', examples('selvedge users invite new@example.com --role admin'))
    .action(async (email: string, flags: { role: string }, command: Command) => {
      const invited = await cli.person(command, client => client.people.invite({ email, role: roleOf(flags.role) }))
      cli.output(command).result(invited, () => [invited.acceptUrl])
      cli.output(command).note(`Hand this link to ${email}; it is shown this once and ends on ${invited.expiresOn}.`)
    })

  withPages(users.command('invitations'))
    .description('List invitations, newest first.')
    .addHelpText('after', examples('selvedge users invitations'))
    .action(async (flags: PageFlags, command: Command) => {
      await cli.person(command, client =>
        printPages(cli, command, flags, {
          columns: invitationColumns,
          read: place => client.people.invitations(place),
        }),
      )
    })

  users
    .command('revoke-invitation')
    .description('Revoke an open invitation.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge users revoke-invitation INVITATION_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      await cli.person(command, client => client.people.revokeInvitation({ id }))
      cli.output(command).note(`The invitation ${id} is revoked.`)
    })

  users
    .command('role')
    .description('Change the role of a person.')
    .argument('<id>')
    .argument('<role>', 'admin or member')
    .addHelpText('after', examples('selvedge users role USER_ID admin'))
    .action(async (id: string, role: string, _flags: object, command: Command) => {
      const member = await cli.person(command, client => client.people.setRole({ id, role: roleOf(role) }))
      cli.output(command).fields({ ...member })
    })

  users
    .command('remove')
    .description('Remove a person; their sessions and user keys end at once.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge users remove USER_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      await cli.person(command, client => client.people.remove({ id }))
      cli.output(command).note(`The user ${id} is removed.`)
    })

  withPages(users.command('sessions'))
    .description('List your open sessions, newest first; for admins with --user those of somebody else.')
    .option('--user <id>', 'the member whose sessions they are')
    .addHelpText('after', examples('selvedge users sessions', 'selvedge users sessions --user USER_ID'))
    .action(async (flags: PageFlags & { user?: string }, command: Command) => {
      await cli.person(command, client =>
        printPages(cli, command, flags, {
          columns: sessionColumns,
          read: place => client.people.sessions({ userId: flags.user, ...place }),
        }),
      )
    })

  users
    .command('end-session')
    .description('End an open session at once; for admins that of anybody.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge users end-session SESSION_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      await cli.person(command, client => client.people.endSession({ id }))
      cli.output(command).note(`The session ${id} has ended.`)
    })

  withPages(users.command('audit'))
    .description('Show sign-ins, keys, people and acts of the operator, newest first.')
    .addHelpText('after', examples('selvedge users audit'))
    .action(async (flags: PageFlags, command: Command) => {
      await cli.person(command, client =>
        printPages(cli, command, flags, { columns: auditColumns, read: place => client.people.audit(place) }),
      )
    })

  program
    .command('password')
    .description('Change your own password; all other sessions and your user keys end.')
    .addHelpText('after', examples('selvedge password'))
    .action(async (_flags: object, command: Command) => {
      await cli.person(command, async client => {
        const currentPassword = await askSecret(cli.world, 'Present password')
        const newPassword = await askSecret(cli.world, 'New password')
        await client.people.changePassword({ currentPassword, newPassword })
      })
      cli.output(command).note('The password is changed.')
    })
}

function roleOf(text: string): 'admin' | 'member' {
  if (text === 'admin' || text === 'member') return text
  throw usage(`There is no role ${JSON.stringify(text)}.`, 'Give admin or member.')
}
