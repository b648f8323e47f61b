// The Model Context Protocol over HTTP. Its library is loaded by the first message, so that other requests do not wait for it.
import { type Route, route } from '../../platform/http/operation.ts'
import { offerTo } from './call-tool.ts'
import { mcp } from './contract.ts'

export const agentRoutes: Route[] = [
  route(mcp, async (context, { body, request }) => {
    const { answerMessage } = await import('./protocol.ts')
    return answerMessage(offerTo(context), request, body)
  }),
]
