// What a tool is: its texts, what it takes, and the operation of the API that decides who may call it.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { errorsOf, invalid } from '../../platform/errors.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { checkEntityType } from '../../platform/key-limits.ts'
import { allKinds, findKind, type Kind } from '../../platform/kind.ts'
import { AGENT_PAGE_DEFAULT_ENTITIES, AGENT_PAGE_MAX_ENTITIES } from '../../platform/limits.ts'
import { didYouMean } from '../../platform/nearest.ts'

export interface Tool {
  name: string
  about: string
  input: z.ZodObject
  writes: boolean
  /** The operation whose rights the tool needs. None: the tool checks the rights itself. */
  operation?: Operation
  run(context: Context, input: unknown): Promise<unknown>
}

export interface ToolAnswer {
  content: { type: 'text'; text: string }[]
  isError?: boolean
  [more: string]: unknown
}

/** Binds a tool to what it does, with the types of its input. */
export function tool<Input extends z.ZodObject>(
  told: Omit<Tool, 'run' | 'input'> & { input: Input },
  run: (context: Context, input: z.output<Input>) => Promise<unknown>,
): Tool {
  return { ...told, run: (context, input) => run(context, input as z.output<Input>) }
}

export const EntityTypeName = z.string().max(64).describe('e.g. item')
export const PageKeyText = z.string().max(4096).optional().describe('To go on.')
export const PageSize = z.int().min(1).max(AGENT_PAGE_MAX_ENTITIES).default(AGENT_PAGE_DEFAULT_ENTITIES)

/** The entity type of a name, where the caller may do this with it. */
export function kindFor(
  { principal }: Context,
  name: string,
  operationOf: (kind: Kind) => Operation,
  isOffered: (kind: Kind) => boolean = () => true,
): Kind {
  const kind = findKind(name)
  const names = principal.entityTypes ?? allKinds().map(each => each.name)
  if (!kind) {
    throw invalid([
      { path: '/entityType', message: `There is no such entity type.${didYouMean(name, names)} See describe_types.` },
    ])
  }
  checkEntityType(operationOf(kind), principal)
  if (isOffered(kind)) return kind
  throw invalid([{ path: '/entityType', message: 'Entities of this type are not made or changed like this.' }])
}

/** Held against the very shape that the API takes as parameters, with its bounds (N19). */
export function asQuery<Query extends z.ZodType>(query: Query, values: Record<string, unknown>): z.output<Query> {
  const texts = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  const parsed = query.safeParse(Object.fromEntries(texts))
  if (!parsed.success) throw invalid(errorsOf(parsed.error.issues))
  return parsed.data
}
