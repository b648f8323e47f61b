// Random loads against the model beside this, which is written from the specification alone. Chunks and commits are made
// tiny, so that a dozen rows cross their borders. VITE_LOADS and VITE_SEED in the environment ask for more of either suite, or for one again.
import { describe, expect, it } from 'vitest'
import { holdLoads, type Load } from '../loading.ts'
import { randomFile, randomTypes } from './generate.ts'
import { loadItems } from './items-model.ts'
import { Organization } from './organization.ts'
import { loadOthers } from './others-model.ts'
import { Random } from './random.ts'
import { emptyWorld, type File, type Types, type World } from './world.ts'

const KNOWN = new Set(['V1', 'V2'])
const LOADS_EACH = 6
const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const SEED = Number(settings?.VITE_SEED ?? 1)
const ORGANIZATIONS = Math.ceil(Number(settings?.VITE_LOADS ?? 150) / LOADS_EACH)

const none = (results: Load['results']): boolean =>
  Object.values<Load['results'][string]>(results).every(
    ({ created, updated, removed }) => created + updated + removed === 0,
  )

async function check(
  organization: Organization,
  file: File,
  types: Types,
  before: World,
  random: Random,
): Promise<World> {
  const model = file.loadType.includes('ITEM') ? loadItems : loadOthers
  const { errors, world } = model(file, types, before, KNOWN)
  const dry = random.chance(0.3) ? await organization.load(file, { dryRun: true }) : undefined
  const done = await organization.load(file)
  const lines = done.issues.filter(({ severity }) => severity === 'error').map(({ rowNumber }) => rowNumber)
  expect([...new Set(lines)].sort(), JSON.stringify(done.issues, null, 1)).toEqual([...errors].sort())
  expect(done.status).toBe(errors.size > 0 ? 'failed' : 'completed')
  expect(await organization.world()).toEqual(world)
  if (dry) expect(dry.results).toEqual(done.results)
  for (const place of served(file, before, world)) {
    const keys = Object.keys(world.members[place] ?? {})
    const families = keys.filter(key => world.items[key]?.family === null).length
    const summary = { itemCount: keys.length, familyCount: families, optionCount: keys.length - families }
    expect(await organization.summary(place)).toEqual(summary)
  }
  const records = await organization.records()
  await organization.sendBack()
  const again = await organization.load(file)
  expect(again.status).toBe(done.status)
  expect(none(again.results), JSON.stringify(again.results)).toBe(true)
  expect(await organization.records()).toBe(records)
  return world
}

/** Somebody changes values of families and options by hand. */
async function editSome(organization: Organization, world: World, random: Random): Promise<void> {
  for (const [key, item] of Object.entries(world.items)) {
    if (!random.chance(0.1)) continue
    const properties = random.pick([{ ovr: 2 }, { ovr_text: 'b' }, { fam: 'c' }, { fam_num: 1 }])
    await organization.edit(key, properties)
    Object.assign(item.properties, properties)
  }
}

/** Assortments that the load has changed. */
function served(file: File, before: World, after: World): string[] {
  if (!file.split) return []
  return Object.keys(after.members).filter(
    place => JSON.stringify(before.members[place]) !== JSON.stringify(after.members[place]),
  )
}

/** Every so many of the seeds, in as many files: two runtimes share them. */
const FILES = 2

export function randomLoads(part: number): void {
  const seeds = Array.from({ length: ORGANIZATIONS }, (_, at) => SEED + at).filter((_, at) => at % FILES === part)
  describe('random loads come to what the model says (N30, N32, N73)', () => {
    it.each(seeds)('seed %i', async seed => {
      holdLoads()
      const random = new Random(seed * 7919)
      const types = randomTypes(random)
      const organization = await Organization.make(types)
      let world = emptyWorld()
      for (let load = 0; load < LOADS_EACH; load++) {
        const file = randomFile(random)
        try {
          await editSome(organization, world, random)
          world = await check(organization, file, types, world, random)
        } catch (error) {
          console.error(`seed ${seed}, load ${load + 1}`, JSON.stringify({ types, world, file }))
          throw error
        }
      }
    })
  })
}
