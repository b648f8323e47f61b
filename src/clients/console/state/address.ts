// The address is the state: filters, order and open parts stand in it, so that reload, back and a shared link show the same.
import { useLocation } from 'preact-iso/router'

export const HOME = '/console'

export function usePageState() {
  const { path, query, route } = useLocation()
  /** Undefined and empty values leave the address. */
  const set = (changes: Record<string, string | undefined>, replace = false) => {
    const next = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...query, ...changes })) if (value) next.set(name, value)
    const text = next.toString()
    route(path + (text === '' ? '' : `?${text}`), replace)
  }
  return { query: query as Record<string, string | undefined>, set }
}

export const to = {
  home: `${HOME}/`,
  entities: (path: string, query = '') => `${HOME}/entities/${path}${query}`,
  entity: (path: string, id: string) => `${HOME}/entities/${path}/${encodeURIComponent(id)}`,
  history: `${HOME}/history`,
  work: `${HOME}/work`,
  run: (id: string) => `${HOME}/runs/${encodeURIComponent(id)}`,
  loads: `${HOME}/loads`,
  newLoad: `${HOME}/loads/new`,
  load: (id: string) => `${HOME}/loads/${encodeURIComponent(id)}`,
  revert: (id: string) => `${HOME}/reverts/${encodeURIComponent(id)}`,
  files: `${HOME}/files`,
  types: `${HOME}/types`,
  type: (typePath: string) => `${HOME}/types/${encodeURIComponent(typePath)}`,
  settings: (part: string) => `${HOME}/settings/${part}`,
  operator: `${HOME}/operator`,
  operatorOrgs: `${HOME}/operator/organizations`,
  operatorOrg: (slug: string, tab = '') =>
    `${HOME}/operator/organizations/${encodeURIComponent(slug)}${tab && `?tab=${tab}`}`,
  operatorDeliveries: `${HOME}/operator/deliveries`,
  operatorBackups: `${HOME}/operator/backups`,
  operatorAudit: `${HOME}/operator/audit`,
}

export function criteriaQuery(criteria: Record<string, unknown>): string {
  return `?criteria=${encodeURIComponent(JSON.stringify(criteria))}`
}
