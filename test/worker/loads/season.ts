// A project with a workspace and two assortments, and loads into them.
import type { Json, TestOrg } from '../api.ts'
import { type Load, load } from './loading.ts'

export const SEASON_HEAD = 'itemFamilyFederatedId,itemOptionFederatedId,Season'

export async function season(org: TestOrg) {
  const project = await org.make('/projects', { name: 'SS26' })
  const workspace = await org.make('/workspaces', { identifier: 'ss26', projectId: project.id })
  const assortment = (identifier: string) =>
    org.make('/assortments', { name: identifier, identifier, workspaceId: workspace.id })
  const [a, b] = [await assortment('men'), await assortment('women')]
  const values = [
    { value: 'M', assortmentId: a.id },
    { value: 'W', assortmentIdentifier: 'women' },
  ]
  const configuration = (split: Json = {}, more: Json = {}): Json => ({
    loadType: ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
    assortmentSplit: { fieldToSplitOn: 'Season', values, ...split },
    ...more,
  })
  const run = (rows: string, split: Json = {}, more: Json = {}): Promise<Load> =>
    load(org, rows, configuration(split, more))
  return { project, workspace, a, b, values, configuration, run }
}

/** The federatedIds of an assortment's items. */
export async function members(org: TestOrg, assortmentId: string): Promise<unknown[]> {
  const { body } = await org.get('/assortment-items', { criteria: { assortmentId }, relations: 'item', limit: 1000 })
  return (body.results ?? []).map(({ item }) => (item as Json).federatedId).sort()
}
