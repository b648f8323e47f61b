// What the rows of a chunk name must be there: referenced entities, assortments, and the project they lead to.
import { allKinds } from '../../../platform/kind.ts'
import { LOAD_MAX_ASSORTMENTS } from '../../../platform/limits.ts'
import type { LoadScope } from '../checkpoint.ts'
import type { Reading } from '../drafts/chunk-reader.ts'
import type { Issues } from '../issues.ts'
import { shown } from '../rows/cell-readers.ts'
import type { LoadState } from '../state.ts'
import { findAssortments } from '../store/assortments.ts'
import { findReferenced } from '../store/existing.ts'
import { fills } from '../targets.ts'

/** Puts ids in the place of what the cells name. */
export async function resolveReferences(scope: LoadScope, reading: Reading, issues: Issues): Promise<void> {
  if (reading.references.length === 0) return
  const names = new Set(reading.references.flatMap(({ properties, slug }) => properties[slug] as string | string[]))
  const kinds = allKinds().map(kind => kind.name)
  const found = await findReferenced(scope.db, scope.org.id, [...names], kinds)
  for (const { properties, slug, line, header } of lastOfEach(reading.references)) {
    const value = properties[slug]
    const ids = [value].flat().map(name => {
      const candidates = [...(found.get(String(name)) ?? [])]
      if (candidates.length === 1) return candidates[0]
      const message =
        candidates.length === 0
          ? `There is no entity with the id or federatedId ${shown(name)}. Load it first.`
          : `There are several entities with the federatedId ${shown(name)}. Name one by its id.`
      issues.error(line, header, 'INVALID_DATA', message)
      return undefined
    })
    // Two names may be those of one entity.
    properties[slug] = Array.isArray(value) ? [...new Set(ids)] : ids[0]
  }
}

/** Of two columns for one property the later holds. */
function lastOfEach(references: Reading['references']): Reading['references'] {
  const held = new Map<object, Map<string, Reading['references'][number]>>()
  for (const reference of references) {
    const slugs = held.get(reference.properties) ?? new Map<string, Reading['references'][number]>()
    held.set(reference.properties, slugs.set(reference.slug, reference))
  }
  return [...held.values()].flatMap(slugs => [...slugs.values()])
}

type Places = Pick<LoadState, 'assortments' | 'projectId'>

/** Assortments that rows name themselves must exist, and lead to one project: the fourth way of resolution. */
export async function checkAssortments(
  scope: LoadScope,
  state: LoadState,
  reading: Reading,
  issues: Issues,
): Promise<Places> {
  const { configuration, targets, assortments: before } = state
  const needsProject = fills(configuration, 'projectId')
  if (!needsProject && !fills(configuration, 'assortmentId')) return { assortments: before, projectId: state.projectId }
  const known = new Set([...before, ...targets.map(([, id]) => id)])
  const named = new Map(reading.assortmentIds)
  const first = reading.firstAssortmentId
  const isLast = configuration.assortmentSplit && needsProject && state.projectId === null
  if (isLast && first !== undefined && named.size === 0) named.set(first, state.line)
  const unknown = [...named].filter(([id]) => !known.has(id))
  const found =
    unknown.length > 0 ? await findAssortments(scope.db, scope.org.id, { ids: unknown.map(([id]) => id) }) : []
  let { projectId } = state
  for (const [id, line] of unknown) {
    const row = found.find(one => one.id === id)
    if (!row) issues.error(line, 'assortmentId', 'INVALID_DATA', `There is no assortment ${shown(id)}.`)
    else if (row.projectId === null || row.projectId === projectId) continue
    else if (state.projectRank !== null) {
      const message = `The assortment ${shown(id)} belongs to another project than ${state.projectRank} leads to, which holds.`
      issues.warn(line, 'assortmentId', 'VALIDATION_ERROR', message)
    } else if (projectId === null) projectId = row.projectId
    else {
      const message = `The assortment ${shown(id)} belongs to another project than those of the rows before. Load each project by itself.`
      issues.error(line, 'assortmentId', 'INVALID_DATA', message)
    }
  }
  if (needsProject && projectId === null) {
    const message = 'Neither the configuration nor the first row leads to a project. Name a workspaceIdentifier.'
    issues.error(state.line, 'assortmentId', 'CONFIG', message)
  }
  // What is there: what is not may be as long as a cell.
  for (const { id } of found) known.add(id)
  const there = [...reading.assortmentIds.keys()].filter(id => known.has(id))
  const assortments = [...new Set([...before, ...there])]
  if (assortments.length > LOAD_MAX_ASSORTMENTS) {
    issues.error(
      state.line,
      'assortmentId',
      'INVALID_DATA',
      `A load can fill at most ${LOAD_MAX_ASSORTMENTS} assortments.`,
    )
  }
  return { assortments: assortments.slice(0, LOAD_MAX_ASSORTMENTS), projectId }
}
