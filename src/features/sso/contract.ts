// Wire shapes and endpoints of single sign-on (N11) and of its configuration (N12).
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { AsCookie, OrgSlug, Session } from '../sign-in/contract.ts'

export const IdentityProviderBody = named(
  'PutIdentityProvider',
  z.strictObject({
    issuer: z.url().max(500).describe('The provider is found by discovery below this address. https.'),
    clientId: z.string().min(1).max(500),
    clientSecret: z.string().min(1).max(1000).describe('Sent back as it is read, masked, it stays as it is.'),
    allowSignUp: z
      .boolean()
      .default(false)
      .describe('Whether a first sign-in makes a person a member who is not one yet.'),
  }),
  { issuer: 'https://login.example.com', clientId: 'selvedge', clientSecret: 'the secret of the client' },
)
export type IdentityProviderBody = z.output<typeof IdentityProviderBody>

const IdentityProvider = named(
  'IdentityProvider',
  z.object({
    issuer: z.string(),
    clientId: z.string(),
    clientSecret: z.string().describe('Masked.'),
    allowSignUp: z.boolean(),
    callbackUrl: z
      .string()
      .describe('The redirect address to register with the provider; each organization has its own.'),
    updatedOn: z.iso.datetime(),
  }),
)

const operator = { tag: 'operator', access: 'operator', path: '/operator/orgs/:slug/identity-provider' } as const

export const putProvider = {
  id: 'putIdentityProvider',
  ...operator,
  method: 'PUT',
  summary: 'Set the identity provider of an organization',
  body: IdentityProviderBody,
  answer: IdentityProvider,
  status: 200,
  faults: ['conflict'],
} as const satisfies Operation

export const getProvider = {
  id: 'getIdentityProvider',
  ...operator,
  method: 'GET',
  summary: 'Get the identity provider of an organization; its secret is masked',
  answer: IdentityProvider,
  status: 200,
} as const satisfies Operation

export const deleteProvider = {
  id: 'deleteIdentityProvider',
  ...operator,
  method: 'DELETE',
  summary: 'Remove the identity provider of an organization',
  status: 204,
} as const satisfies Operation

const Start = z.strictObject({
  orgSlug: OrgSlug,
  redirectUri: z
    .string()
    .describe('Where the person ends: a page of this service, or http://127.0.0.1:<port>/… of a command line.'),
  codeChallenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'Expected the SHA-256 of the code verifier in base64url.')
    .describe('base64url(SHA-256(codeVerifier)); the verifier stays with the client that starts.'),
  state: z.string().max(500).optional().describe('Comes back as it is.'),
})
export type Start = z.output<typeof Start>

const common = { tag: 'people', access: 'anybody', limitedByAddress: 'sso' } as const

export const startSso = {
  id: 'startSingleSignOn',
  ...common,
  method: 'GET',
  path: '/auth/sso/start',
  summary: 'Begin single sign-on: leads to the identity provider of the organization',
  description:
    'In the end `redirectUri` is called with `code` (or `error`) and `state`. The code is good once, for one minute, and only ' +
    'together with the verifier: no address ever holds a token.',
  query: Start,
  status: 302,
  sends: ['Location'],
  faults: ['not_found', 'unavailable'],
} as const satisfies Operation

export const ssoCallback = {
  id: 'finishSingleSignOn',
  ...common,
  method: 'GET',
  path: '/auth/sso/callback/:orgId',
  summary: 'Where the identity provider of one organization sends people back to',
  query: z.looseObject({ state: z.string().max(500) }),
  status: 302,
  sends: ['Location'],
  faults: ['not_found'],
} as const satisfies Operation

export const SsoToken = named(
  'FetchSession',
  z.strictObject({
    code: z.string().min(1).max(200),
    codeVerifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'Expected 43 to 128 letters, digits and -._~'),
    cookie: AsCookie,
  }),
  { code: 'the code of the redirect', codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
)
export type SsoToken = z.output<typeof SsoToken>

export const ssoToken = {
  id: 'fetchSession',
  ...common,
  method: 'POST',
  path: '/auth/sso/token',
  summary: 'Fetch the session with the code and its verifier',
  issuesCredential: true,
  body: SsoToken,
  answer: Session,
  status: 200,
  faults: ['unauthorized', 'forbidden'],
} as const satisfies Operation
