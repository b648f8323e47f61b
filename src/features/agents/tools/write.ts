// Writing entities: what the batches of the API do, all or nothing, with what becomes of each told beside it.
import * as z from 'zod'
import type { Context } from '../../../platform/context.ts'
import type { Entity } from '../../../platform/db/row.ts'
import { errorsOf, Fault, type FieldError, invalid } from '../../../platform/errors.ts'
import type { Kind } from '../../../platform/kind.ts'
import { AGENT_WRITE_MAX_ENTITIES } from '../../../platform/limits.ts'
import { ownValue } from '../../../platform/own-value.ts'
import { createBatch, type ExpectedVersions, updateBatch, upsertBatch } from '../../entities/batch.ts'
import { batchEndpoints, ListQuery } from '../../entities/contract.ts'
import { listEntities } from '../../entities/service.ts'
import { shapes } from '../../entities/shapes.ts'
import { createdData, updatePatch } from '../../entities/write-body.ts'
import { cut } from '../answer-text.ts'
import { type Outcome, outcomeOf } from '../outcome.ts'
import { asQuery, EntityTypeName, kindFor, type Tool, tool } from '../tool.ts'

type Properties = Record<string, unknown>

/** How the entities of a call are told apart; one call tells all of them in the same way. */
const WAYS = {
  id: {
    shape: 'updates',
    write: (context, kind, all, expected) => updateBatch(context, kind, all as { id: string }[], expected),
  },
  federatedId: { shape: 'creates', write: upsertBatch },
  none: { shape: 'creates', write: createBatch },
} as const satisfies Record<
  string,
  {
    shape: 'creates' | 'updates'
    write(context: Context, kind: Kind, all: readonly Properties[], expected: ExpectedVersions): Promise<Entity[]>
  }
>

type Way = keyof typeof WAYS

const wayOf = ({ id, federatedId }: Properties): Way =>
  id != null ? 'id' : federatedId != null ? 'federatedId' : 'none'

function oneWay(entities: readonly Properties[]): Way {
  const [first = 'none', ...others] = new Set(entities.map(wayOf))
  if (others.length === 0) return first
  const message = 'Either all with an id (update), all with a federatedId and no id (upsert), or all without (create).'
  throw invalid([{ path: '', message: `${message} Make a call for each.` }])
}

const Version = z.int().min(1)

/** The version that each entity must still have: what the caller has seen of it. */
function expectedVersions(entities: readonly Properties[], way: Way): ExpectedVersions {
  const faults: FieldError[] = []
  const expected = entities.map(({ version }, at) => {
    if (version == null) return undefined
    const message =
      way === 'none'
        ? 'What is created has no version yet: leave it out, or give the id of what is meant.'
        : 'Expected the version that get_entity or find_entities shows, or none.'
    const parsed = Version.safeParse(version)
    if (way === 'none' || !parsed.success) faults.push({ path: `/${at}/version`, message })
    return parsed.data
  })
  if (faults.length) throw invalid(faults)
  return expected
}

const LOOK_AGAIN = 'Look at it again with get_entity, and propose anew with the version that it shows.'

/** Another caller has written in between: which entities, and what to do. */
function outdated(error: unknown, expected: ExpectedVersions, stored: readonly (Entity | undefined)[]): unknown {
  if (!(error instanceof Fault) || error.code !== 'precondition_failed') return error
  const errors = (error.errors ?? []).map(({ path, message }): FieldError => {
    const at = Number(path.split('/')[1])
    const [seen, now] = [expected[at], stored[at]?.version]
    const since =
      now === undefined || now === seen ? message : `You have seen version ${seen}; it is version ${now} now.`
    return { path: `/${at}/version`, message: `${since} ${LOOK_AGAIN}` }
  })
  return new Fault(error.code, 'Somebody else has changed it since the version that you have seen.', { errors })
}

/** What is stored under the keys of the entities, by place. */
async function storedFor(context: Context, kind: Kind, way: Way, entities: readonly Properties[]) {
  if (way === 'none') return []
  const keys = entities.map(entity => String(entity[way]))
  const query = asQuery(ListQuery, { criteria: { [way]: [...new Set(keys)] }, limit: AGENT_WRITE_MAX_ENTITIES })
  // Of large entities no more than what is written to them, and what they are known by.
  const names = ['id', 'version', 'typePath', 'federatedId', ...new Set(entities.flatMap(Object.keys))]
  const found: Entity[] = []
  for (let key: string | null | undefined; key !== null; ) {
    const page = await listEntities(context, kind, { ...query, nextPageKey: key })
    found.push(...page.results.map(entity => only(entity, names)))
    key = page.nextPageKey
  }
  const isScoped = kind.federatedScope === 'typePath' && way === 'federatedId'
  return entities.map((entity, at) =>
    found.find(each => each[way] === keys[at] && (!isScoped || each.typePath === (entity.typePath ?? kind.name))),
  )
}

function only(entity: Entity, names: readonly string[]): Entity {
  const { id, version } = entity
  return { ...Object.fromEntries(names.map(name => [name, ownValue(entity, name)])), id, version }
}

/** Faults name their place in the input of the tool. */
function placed(error: unknown): unknown {
  if (!(error instanceof Fault) || !error.errors) return error
  const errors = error.errors.map(({ path, message }): FieldError => ({ path: `/entities${path}`, message }))
  return new Fault(error.code, error.message, { errors, members: error.members })
}

function withWritten(outcome: Outcome, written: Entity | undefined): Outcome {
  if (!written) return outcome
  const isUnchanged = outcome.outcome === 'update' && outcome.version === written.version
  return {
    ...outcome,
    id: written.id,
    version: written.version,
    ...(isUnchanged && { outcome: 'unchanged' }),
  }
}

async function write(context: Context, kind: Kind, entities: readonly Properties[], isDryRun: boolean) {
  const way = oneWay(entities)
  const { shape, write: writeAll } = WAYS[way]
  const parsed = shapes(kind)[shape].safeParse(entities)
  if (!parsed.success) throw invalid(errorsOf(parsed.error.issues))
  const expected = expectedVersions(entities, way)
  const stored = await storedFor(context, kind, way, parsed.data)
  const outcomes = parsed.data.map((entity, at) => {
    const before = stored[at]
    return outcomeOf(before ? updatePatch(kind, entity) : createdData(kind, entity), before)
  })
  const scope = isDryRun ? { ...context, isDryRun, idempotency: undefined } : context
  const written = await writeAll(scope, kind, parsed.data, expected).catch(error => {
    throw outdated(error, expected, stored)
  })
  return outcomes.map((outcome, at) => withWritten(outcome, written[at]))
}

export const writeTools: Tool[] = [
  tool(
    {
      name: 'write_entities',
      about:
        'Creates or updates, all or nothing: with id updates, with federatedId upserts, with neither creates. Fields sent are replaced, null clears, others stay. With version it is refused where somebody has changed the entity since. dryRun checks everything, tells the differences and writes nothing.',
      writes: true,
      input: z.strictObject({
        entityType: EntityTypeName,
        entities: z.array(z.record(z.string(), z.unknown())).min(1).max(AGENT_WRITE_MAX_ENTITIES),
        dryRun: z.boolean().default(false),
      }),
    },
    async (context, { entityType, entities, dryRun }) => {
      const kind = kindFor(
        context,
        entityType,
        found => batchEndpoints(found).create,
        ({ operations }) => operations.includes('create') && operations.includes('update'),
      )
      try {
        return { dryRun, results: cut(await write(context, kind, entities, dryRun)) }
      } catch (error) {
        throw placed(error)
      }
    },
  ),
]
