// How a list is asked for elsewhere. Pure but for the address of the service.
import type { ListParams } from '../../typescript/index.ts'
import type { Way } from '../parts/how-to.tsx'

const literal = (value: unknown) => JSON.stringify(value, null, 2)

export function listWay(entityName: string, path: string, params: ListParams & { q?: string | undefined }): Way {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
  const { limit, criteria, order } = params
  const flags = [
    criteria && `--criteria '${JSON.stringify(criteria)}'`,
    order && `--order ${order.orderField}${order.order === 'desc' ? ':desc' : ''}`,
    limit && `--limit ${limit}`,
  ].filter(Boolean)
  return {
    path: `/${path}?${query}`,
    typescript: `const { results } = await client.entities.list({
  entityName: '${entityName}',
  queryParams: ${literal(Object.fromEntries(given)).replaceAll('\n', '\n  ')},
})`,
    command: `entities list ${entityName} ${flags.join(' ')}`,
  }
}
