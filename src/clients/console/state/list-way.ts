// How a list is asked for elsewhere. Pure but for the address of the service.
import type { ListParams } from '../../typescript/index.ts'
import { shellWord } from './quoted.ts'
import type { Way } from './way.ts'

const literal = (value: unknown) => JSON.stringify(value, null, 2)

export function listWay(entityName: string, path: string, params: ListParams): Way {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
  const { limit, criteria, order, q } = params
  const flags = [
    criteria && `--criteria ${shellWord(JSON.stringify(criteria))}`,
    q && `--search ${shellWord(q)}`,
    order && `--order ${shellWord(order.orderField + (order.order === 'desc' ? ':desc' : ''))}`,
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
