// Finds what a configuration names: the assortments of its split values, and the project that project items go to, in
// the order of the source's four ways. The fourth, assortmentId in the rows, is left to validation.
import type { Context } from '../../../platform/context.ts'
import type { FieldError } from '../../../platform/errors.ts'
import type { LoaderConfiguration, SplitValue } from '../contract.ts'
import type { LoadState } from '../state.ts'
import { type AssortmentRow, findAssortments, projectOfWorkspace } from '../store/assortments.ts'

export type Resolved = Pick<LoadState, 'projectId' | 'targets'>

export function needsProject({ loadType }: Pick<LoaderConfiguration, 'loadType'>): boolean {
  return loadType.includes('PROJECT_ITEM')
}

export async function resolve(
  { db, org }: Pick<Context, 'db' | 'org'>,
  configuration: LoaderConfiguration,
): Promise<Resolved & { faults: FieldError[] }> {
  const faults: FieldError[] = []
  const { loadType, workspaceIdentifier, assortmentSplit } = configuration
  if (!loadType.includes('PROJECT_ITEM') && !loadType.includes('ASSORTMENT'))
    return { projectId: null, targets: [], faults }
  const values = assortmentSplit?.values ?? []
  const rows = await findAssortments(db, org.id, {
    ids: values.flatMap(({ assortmentId }) => assortmentId ?? []),
    identifiers: values.flatMap(({ assortmentIdentifier }) => assortmentIdentifier ?? []),
  })
  const found = values.map((value, at) => assortmentOf(value, at, rows, faults))
  const targets = values.map(({ value }, at): [string, string | null] => [value, found[at]?.id ?? null])
  if (workspaceIdentifier !== undefined) {
    const projectId = await projectOfWorkspace(db, org.id, workspaceIdentifier)
    if (projectId === undefined) faults.push({ path: '/workspaceIdentifier', message: 'There is no such workspace.' })
    else if (projectId === null)
      faults.push({ path: '/workspaceIdentifier', message: 'The workspace belongs to no project.' })
    return { projectId: projectId ?? null, targets, faults }
  }
  const named = found.filter(row => row !== undefined)
  const projects = [...new Set(named.flatMap(({ projectId }) => projectId ?? []))]
  if (projects.length > 1) {
    faults.push({ path: '/assortmentSplit/values', message: 'The values lead to assortments of several projects.' })
  } else if (needsProject(configuration) && named.length > 0 && projects.length === 0) {
    faults.push({ path: '/assortmentSplit/values', message: 'The assortments belong to no project.' })
  }
  return { projectId: projects[0] ?? null, targets, faults }
}

function assortmentOf(
  { assortmentId, assortmentIdentifier }: SplitValue,
  at: number,
  rows: readonly AssortmentRow[],
  faults: FieldError[],
): AssortmentRow | undefined {
  const path = `/assortmentSplit/values/${at}`
  const byId = assortmentId === undefined ? undefined : rows.find(({ id }) => id === assortmentId)
  const byIdentifier =
    assortmentIdentifier === undefined ? undefined : rows.find(({ identifier }) => identifier === assortmentIdentifier)
  if (assortmentId !== undefined && !byId) {
    faults.push({ path: `${path}/assortmentId`, message: 'There is no such assortment.' })
  }
  if (assortmentIdentifier !== undefined && !byIdentifier) {
    faults.push({ path: `${path}/assortmentIdentifier`, message: 'There is no such assortment.' })
  }
  if (byId && byIdentifier && byId.id !== byIdentifier.id) {
    faults.push({ path, message: 'assortmentId and assortmentIdentifier name different assortments.' })
  }
  return byId ?? byIdentifier
}
