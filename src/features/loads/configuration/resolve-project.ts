// Finds what a configuration names: the assortments of its split values, and the project that project items go to, in
// the order of the source's four ways. The fourth, assortmentId in the rows, is left to validation.
import type { Context } from '../../../platform/context.ts'
import type { FieldError } from '../../../platform/errors.ts'
import type { LoaderConfiguration, SplitValue } from '../contract.ts'
import type { LoadState } from '../state.ts'
import { type AssortmentRow, findAssortments, projectOfWorkspace } from '../store/assortments.ts'
import { fills } from '../targets.ts'
import { warningsOfUnused } from './unused-parts.ts'

export type Resolved = Pick<LoadState, 'projectId' | 'projectRank' | 'startWarnings' | 'targets'>

export async function resolve(
  { db, org }: Pick<Context, 'db' | 'org'>,
  configuration: LoaderConfiguration,
): Promise<Resolved & { faults: FieldError[] }> {
  const faults: FieldError[] = []
  const { workspaceIdentifier, assortmentSplit } = configuration
  const unused = warningsOfUnused(configuration)
  const needsProject = fills(configuration, 'projectId')
  if (!needsProject && !fills(configuration, 'assortmentId'))
    return { projectId: null, projectRank: null, startWarnings: unused, targets: [], faults }
  const values = assortmentSplit?.values ?? []
  const rows = await findAssortments(db, org.id, {
    ids: values.flatMap(({ assortmentId }) => assortmentId ?? []),
    identifiers: values.flatMap(({ assortmentIdentifier }) => assortmentIdentifier ?? []),
  })
  const found = values.map((value, at) => assortmentOf(value, at, rows, faults))
  const targets = values.map(({ value }, at): [string, string | null] => [value, found[at]?.id ?? null])
  const ranks = ranksOf(values, found)
  if (workspaceIdentifier !== undefined) {
    const projectId = await projectOfWorkspace(db, org.id, workspaceIdentifier)
    const path = '/workspaceIdentifier'
    const name = JSON.stringify(workspaceIdentifier)
    if (projectId === undefined) {
      const message = `There is no workspace with the identifier ${name}. \`GET /workspaces\` lists them with theirs.`
      faults.push({ path, message })
    } else if (projectId === null) {
      faults.push({ path, message: `The workspace ${name} belongs to no project. Give it a projectId.` })
    }
    ranks.unshift({ by: `workspaceIdentifier ${name}`, projects: projectId ? [projectId] : [] })
  }
  const [first, ...lower] = ranks.filter(({ projects }) => projects.length > 0)
  if (first && first.projects.length > 1) {
    const message = `The assortments of ${first.by} belong to several projects. Load each project by itself.`
    faults.push({ path: '/assortmentSplit/values', message })
  } else if (needsProject && !first && found.some(row => row !== undefined)) {
    const message =
      'The assortments belong to no project. Give their workspace a projectId, or name a workspaceIdentifier.'
    faults.push({ path: '/assortmentSplit/values', message })
  }
  const projectId = first?.projects[0] ?? null
  const otherProjects = lower
    .filter(({ projects }) => projects.some(project => project !== projectId))
    .map(({ by }) => `${by} leads to another project than ${first?.by}, which is asked first and holds.`)
  return { projectId, projectRank: first?.by ?? null, startWarnings: [...unused, ...otherProjects], targets, faults }
}

interface Rank {
  /** How it is found, for people. */
  by: string
  projects: string[]
}

/** Ids before identifiers, as the source ranks them. */
function ranksOf(values: readonly SplitValue[], found: readonly (AssortmentRow | undefined)[]): Rank[] {
  const projectsOf = (isWanted: (value: SplitValue) => boolean) => [
    ...new Set(values.flatMap((value, at) => (isWanted(value) ? (found[at]?.projectId ?? []) : []))),
  ]
  return [
    { by: 'the split values with an assortmentId', projects: projectsOf(value => value.assortmentId !== undefined) },
    {
      by: 'the split values with an assortmentIdentifier',
      projects: projectsOf(value => value.assortmentId === undefined),
    },
  ]
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
    const message = `There is no assortment with the id ${JSON.stringify(assortmentId)}.`
    faults.push({ path: `${path}/assortmentId`, message })
  }
  if (assortmentIdentifier !== undefined && !byIdentifier) {
    const message = `There is no assortment with the identifier ${JSON.stringify(assortmentIdentifier)}.`
    faults.push({ path: `${path}/assortmentIdentifier`, message })
  }
  if (byId && byIdentifier && byId.id !== byIdentifier.id) {
    const names = `${JSON.stringify(assortmentId)} and ${JSON.stringify(assortmentIdentifier)}`
    faults.push({ path, message: `assortmentId and assortmentIdentifier name different assortments: ${names}.` })
  }
  return byId ?? byIdentifier
}
