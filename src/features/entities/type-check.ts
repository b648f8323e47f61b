// What would become of stored entities if types were other ones (N54): which of them would no longer fit. Nothing is
// written. A call looks at a bounded part of them; `nextPageKey` leads on to the rest.
import * as z from 'zod'
import { canonicalFields } from '../../platform/canonical.ts'
import type { Context } from '../../platform/context.ts'
import { digestOf } from '../../platform/digest.ts'
import { type FieldError, invalid } from '../../platform/errors.ts'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { checkReach } from '../../platform/key-limits.ts'
import { allKinds, findKind } from '../../platform/kind.ts'
import {
  BATCH_BODY_MAX_BYTES,
  QUOTAS_MOST,
  TYPE_CHECK_EXAMPLES,
  TYPE_CHECK_FAULTS,
  TYPE_CHECK_PAGE_ENTITIES,
} from '../../platform/limits.ts'
import { readKey, writeKey } from '../../platform/paging/page-key.ts'
import { PageKey } from '../../platform/paging/page-query.ts'
import { typeFields } from '../types/contract.ts'
import { faultsOf } from '../types/fit.ts'
import { declaredNames } from '../types/guard.ts'
import { freshTypes } from '../types/service.ts'
import { pathsTo, rootOf, type TypeRow, type TypeTable } from '../types/table.ts'
import { entitiesBelow, type TypedRow } from './type-check-store.ts'

const PlannedType = named(
  'PlannedType',
  z.strictObject({
    typePath: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_-]{1,64}){0,8}$/, 'Expected a colon-separated type path.'),
    label: typeFields.label.nullable(),
    properties: typeFields.properties,
  }),
  { typePath: 'item:shirt', properties: [{ slug: 'price', propertyType: 'currency', required: true }] },
)

const UnfitEntity = z.object({
  entityType: z.string(),
  id: z.string(),
  typePath: z.string(),
  name: z.string().nullable(),
  errors: z.array(z.object({ path: z.string().describe('JSON Pointer.'), message: z.string() })),
})

export const checkTypes = {
  tag: 'types',
  access: 'organization',
  entityType: 'type',
  id: 'checkTypes',
  method: 'POST',
  path: '/types/check',
  writes: false,
  keepsAnswer: true,
  summary: 'Check types before they are written',
  description: 'Which stored entities would no longer fit, if the types were these. Nothing is written.',
  bodyMaxBytes: BATCH_BODY_MAX_BYTES,
  body: named(
    'TypePlan',
    z.strictObject({ types: z.array(PlannedType).min(1).max(QUOTAS_MOST.types), nextPageKey: PageKey }),
    { types: [{ typePath: 'item:shirt', properties: [{ slug: 'price', propertyType: 'currency', required: true }] }] },
  ),
  answer: named(
    'TypeCheck',
    z.object({
      checked: z.int().describe('Entities that this call has looked at.'),
      unfit: z.int().describe('Those of them that fit now and would no longer.'),
      examples: z.array(UnfitEntity).describe('The first of those.'),
      nextPageKey: z.string().nullable().describe('Send it with the same types to look at more; null at the end.'),
    }),
    {
      checked: 40,
      unfit: 1,
      examples: [
        {
          entityType: 'item',
          id: 'Vn3KqJ8sW2xT0aLb',
          typePath: 'item:shirt',
          name: 'Linen shirt',
          errors: [{ path: '/price', message: 'This property is required.' }],
        },
      ],
      nextPageKey: null,
    },
  ),
  status: 200,
} as const satisfies Operation

type Plan = z.output<typeof checkTypes.body>

/** Which of the paths, and the last entity that was looked at there. */
const Place = z.tuple([z.int().min(0), z.string(), z.int().min(0)])

export async function checkPlan(context: Context, { types, nextPageKey }: Plan) {
  const rows = types.map(({ typePath, label = null, properties = [] }): TypeRow => ({ typePath, label, properties }))
  refuse(rows)
  // It shows entities of these.
  checkReach(
    context.principal,
    rows.map(({ typePath }) => rootOf(typePath)),
  )
  const before = await freshTypes(context)
  const after = before.replaced(rows)
  const paths = changedPaths(before, after, rows)
  const belongsTo = `types ${context.org.id} ${await digestOf(JSON.stringify(rows))}`
  const [at, ...last] = nextPageKey ? await readKey(nextPageKey, belongsTo, 'nextPageKey', Place) : [0]
  const path = paths[at]
  if (path === undefined) return { checked: 0, unfit: 0, examples: [], nextPageKey: null }
  const [typePath, seq] = last
  const place = { kind: rootOf(path), path, after: seq ? ([typePath ?? path, seq] as const) : undefined }
  const found = await entitiesBelow(context.db, context.org.id, place, TYPE_CHECK_PAGE_ENTITIES)
  const unfit = found.rows.flatMap(row => unfitBy(before, after, row))
  const end = found.rows.at(-1)
  const isOver = found.isAll && at + 1 >= paths.length
  const next: z.output<typeof Place> = found.isAll ? [at + 1, '', 0] : [at, end?.typePath ?? '', end?.seq ?? 0]
  return {
    checked: found.rows.length,
    unfit: unfit.length,
    examples: unfit.slice(0, TYPE_CHECK_EXAMPLES),
    nextPageKey: isOver ? null : await writeKey(next, belongsTo),
  }
}

/** What a write of the types would be refused for, as far as the types alone show it. */
function refuse(rows: readonly TypeRow[]): void {
  const declared = declaredNames(allKinds())
  const paths = new Set<string>()
  const isRepeated = (path: string) => paths.size === paths.add(path).size
  const faults = rows.flatMap(({ typePath, properties }, at): FieldError[] => [
    ...(isRepeated(typePath) ? [{ path: `/types/${at}/typePath`, message: 'Another type has this path.' }] : []),
    ...properties.flatMap(({ slug }, index) =>
      declared[rootOf(typePath)]?.includes(slug)
        ? [
            {
              path: `/types/${at}/properties/${index}/slug`,
              message: 'The entity type has a property of this name already.',
            },
          ]
        : [],
    ),
  ])
  if (faults.length) throw invalid(faults)
}

/** Those that entities can have, and none below another. */
function changedPaths(before: TypeTable, after: TypeTable, rows: readonly TypeRow[]): string[] {
  const own = (types: TypeTable, path: string) =>
    JSON.stringify(canonicalFields({ properties: types.get(path)?.properties ?? [] }))
  const changed = new Set(
    rows
      .map(({ typePath }) => typePath)
      .filter(path => findKind(rootOf(path))?.ownRoot && own(before, path) !== own(after, path)),
  )
  const isBelow = (path: string) => pathsTo(path).some(above => above !== path && changed.has(above))
  return [...changed].filter(path => !isBelow(path)).sort()
}

function unfitBy(before: TypeTable, after: TypeTable, { id, typePath, name, data }: TypedRow) {
  const fields = JSON.parse(data) as Record<string, unknown>
  const old = new Set(faultsOf(before.definitionsOf(typePath), fields, true).map(({ path }) => path))
  const errors = faultsOf(after.definitionsOf(typePath), fields, true).filter(({ path }) => !old.has(path))
  if (errors.length === 0) return []
  return [{ entityType: rootOf(typePath), id, typePath, name, errors: errors.slice(0, TYPE_CHECK_FAULTS) }]
}
