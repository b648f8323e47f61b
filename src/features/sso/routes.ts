// Single sign-on over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import { handOver } from '../sign-in/hand-over.ts'
import * as endpoint from './contract.ts'
import { setProvider, shownProviderOf, unsetProvider } from './provider-settings.ts'
import { comeBack, fetchSession, start } from './service.ts'

/** The next page must not learn this address: it may hold a code. */
const leadTo = (url: string) => ({ headers: { Location: url, 'Referrer-Policy': 'no-referrer' } })

export const ssoRoutes: Route[] = [
  route(endpoint.putProvider, async (context, { params, body }) => ({
    body: await setProvider(context, params.slug ?? '', body),
  })),
  route(endpoint.getProvider, async (context, { params }) => ({
    body: await shownProviderOf(context, params.slug ?? ''),
  })),
  route(endpoint.deleteProvider, async (context, { params }) => {
    await unsetProvider(context, params.slug ?? '')
    return {}
  }),
  route(endpoint.startSso, async (context, { query }) => leadTo(await start(context, query))),
  route(endpoint.ssoCallback, async (context, { params, request }) =>
    leadTo(await comeBack(context, params.orgId ?? '', new URL(request.url).searchParams)),
  ),
  route(endpoint.ssoToken, (context, { body, request }) =>
    handOver(request, body.cookie, () => fetchSession(context, body)),
  ),
]
