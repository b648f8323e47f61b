// What becomes of secrets on their way through an archive. Those that are sealed under SECRETS_KEY travel opened only where the archive
// is encrypted, sealed only where it stays with the deployment, and else not at all; with them go the digests of passwords.
import type { Env } from '../../platform/env.ts'
import { decryptSecret, encryptSecret } from '../../platform/secrets.ts'
import { secretOwner } from '../outbound/call.ts'
import { providerOwner } from '../sso/provider-settings.ts'
import type { Line, Secrets } from './lines.ts'

/** Of each table, the columns with sealed secrets and whose they are. */
const SEALED: Record<string, { columns: readonly string[]; owner(orgId: string, line: Line): string }> = {
  endpoints: {
    columns: ['sealedSecret', 'sealedOldSecret'],
    owner: (orgId, line) => secretOwner(orgId, String(line.name)),
  },
  identityProviders: { columns: ['clientSecret'], owner: orgId => providerOwner(orgId) },
}
const PASSWORDS = { table: 'members', column: 'passwordHash' }

/** Lines on their way out; each that lost a secret, or has one that must be sealed again, says so in `secrets`. */
export async function withSecrets(env: Env, orgId: string, secrets: Secrets, lines: Line[]): Promise<Line[]> {
  return Promise.all(lines.map(line => outward(env, orgId, secrets, line)))
}

async function outward(env: Env, orgId: string, secrets: Secrets, line: Line): Promise<Line> {
  if (line.table === PASSWORDS.table) {
    return secrets === 'without' && line[PASSWORDS.column] !== null
      ? { ...line, [PASSWORDS.column]: null, secrets }
      : line
  }
  const sealed = SEALED[line.table]
  const held = sealed?.columns.filter(column => typeof line[column] === 'string') ?? []
  if (!sealed || held.length === 0) return line
  const owner = sealed.owner(orgId, line)
  const become = (value: unknown) =>
    secrets === 'open' ? decryptSecret(env, owner, String(value)) : secrets === 'sealed' ? value : null
  const columns = await Promise.all(held.map(async column => [column, await become(line[column])] as const))
  return { ...line, ...Object.fromEntries(columns), secrets }
}

export interface Inward {
  line: Line
  /** It had a secret that did not come with it, or that this deployment cannot open. */
  isLacking: boolean
}

/** Lines on their way in: secrets are sealed under the key of this deployment. */
export async function inward(env: Env, orgId: string, { secrets, ...rest }: Line): Promise<Inward> {
  const line = rest as Line
  const sealed = SEALED[line.table]
  if (secrets === 'without' || secrets === undefined || !sealed) return { line, isLacking: secrets === 'without' }
  const owner = sealed.owner(orgId, line)
  const held = sealed.columns.filter(column => typeof line[column] === 'string')
  try {
    const again = async (value: unknown) =>
      encryptSecret(env, owner, secrets === 'open' ? String(value) : await decryptSecret(env, owner, String(value)))
    const columns = await Promise.all(held.map(async column => [column, await again(line[column])] as const))
    return { line: { ...line, ...Object.fromEntries(columns) }, isLacking: false }
  } catch (error) {
    if (secrets === 'open') throw error
    const nothing = Object.fromEntries(held.map(column => [column, null]))
    return { line: { ...line, ...nothing }, isLacking: true }
  }
}
