// The credentials file: one profile per service and organization, readable by its owner alone. Written to a new file that takes
// the old one's place, so that a crash leaves the old or the new one and never half of one.

import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from './failure.ts'
import { isRecord } from './input.ts'
import type { World } from './terminal.ts'
import { PRIVATE, replaceFile } from './whole-file.ts'

export interface Profile {
  baseUrl: string
  orgSlug: string
  apiKey?: string
  accessToken?: string
  expiresOn?: string
  email?: string
}

export interface ProfileFile {
  current: string
  profiles: Record<string, Profile>
}

export const DEFAULT_PROFILE = 'default'
/** No profile has this name: after a logout somebody chooses, nobody is chosen. */
const NO_PROFILE = ''
const OWNER_ONLY_FOLDER = 0o700

export function credentialsPath(world: Pick<World, 'env' | 'platform' | 'homeFolder'>): string {
  const { env, platform, homeFolder } = world
  if (env.XDG_CONFIG_HOME) return path.join(env.XDG_CONFIG_HOME, 'selvedge', 'credentials.json')
  if (platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'selvedge', 'credentials.json')
  return path.join(homeFolder, '.config', 'selvedge', 'credentials.json')
}

export async function readProfiles(world: World): Promise<ProfileFile> {
  const file = credentialsPath(world)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isRecord(error) && error.code === 'ENOENT') return { current: DEFAULT_PROFILE, profiles: {} }
    throw error
  }
  await tighten(world, file)
  try {
    return parseProfiles(JSON.parse(text))
  } catch {
    throw new Failure({
      what: `The credentials file ${file} cannot be read.`,
      why: 'It is not the JSON that this command writes.',
      todo: 'Remove the file and sign in again with `selvedge login`.',
    })
  }
}

export async function writeProfiles(world: World, content: ProfileFile): Promise<string> {
  const file = credentialsPath(world)
  await writePrivate(file, content)
  return file
}

/** Undefined where nobody has signed in under this name. */
export function profileNamed({ profiles }: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Where it was the current one, none is. */
export function withoutProfile({ current, profiles }: ProfileFile, name: string): ProfileFile {
  const kept = Object.entries(profiles).filter(([each]) => each !== name)
  return { current: current === name ? NO_PROFILE : current, profiles: Object.fromEntries(kept) }
}

export async function writePrivate(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER })
  await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, PRIVATE)
}

/** A file that others may read is closed, and its owner told that its keys may be known. */
async function tighten(world: World, file: string): Promise<void> {
  if (world.platform === 'win32') return
  const { mode } = await stat(file)
  if ((mode & 0o077) === 0) return
  await chmod(file, PRIVATE)
  world.stderr.write(`warning: ${file} was readable by others; it is closed now. Consider new keys.\n`)
}

function parseProfiles(value: unknown): ProfileFile {
  if (!isRecord(value) || !isRecord(value.profiles) || typeof value.current !== 'string')
    throw new Error('not a profile file')
  const profiles = Object.entries(value.profiles).map(([name, each]) => [name, parseProfile(each)] as const)
  return { current: value.current, profiles: Object.fromEntries(profiles) }
}

function parseProfile(value: unknown): Profile {
  if (!isRecord(value) || typeof value.baseUrl !== 'string' || typeof value.orgSlug !== 'string')
    throw new Error('not a profile')
  const profile: Profile = { baseUrl: value.baseUrl, orgSlug: value.orgSlug }
  for (const key of ['apiKey', 'accessToken', 'expiresOn', 'email'] as const) {
    const text = value[key]
    if (typeof text === 'string') profile[key] = text
  }
  return profile
}
