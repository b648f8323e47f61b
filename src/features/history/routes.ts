import { type Route, route } from '../../platform/http/operation.ts'
import { changeHistory } from './contract.ts'
import { queryHistory } from './service.ts'

export const historyRoutes: Route[] = [
  route(changeHistory, async (context, { query }) => ({ body: await queryHistory(context, query) })),
]
