// What the API document says about people and credentials besides the contracts of auth, sign-in, sso, members,
// invitations, audit and agents; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

const keyKind =
  '`app`: a key of the organization; `user`: a key of a person; `token`: an access token; `session`: a sign-in.'

export const PEOPLE_DESCRIPTIONS: Descriptions = {
  operations: {
    getMe: 'Use it to check a credential. It works with every key, token and session.',
    finishSingleSignOn: 'Only the identity provider calls it. It redirects to the `redirectUri` of the start.',
    getIdentityProvider: 'The client secret is masked.',
    putIdentityProvider: 'People of the organization can sign in with it at once. Replaces the settings as a whole.',
    deleteIdentityProvider: 'People sign in by password from then on. Open sessions go on.',
  },
  parameters: {
    startSingleSignOn: { orgSlug: 'Slug of the organization to sign in to.' },
    finishSingleSignOn: { state: 'The ticket that the start gave to the identity provider.' },
  },
  properties: {
    ApiKey: {
      kind: keyKind,
      name: 'Name of the key, for people.',
      replacedById: 'Id of the key that replaced it by rotation; null if none did.',
      expiresOn: 'When the key expires; null if it never does.',
      tier: 'Rate tier of the key; null for that of the organization.',
    },
    Caller: {
      credential: 'The credential of the call.',
      'credential.kind': keyKind,
      'credential.expiresOn': 'When the credential expires; null if it never does.',
      org: 'The organization of the credential.',
      user: 'The person who calls; null for a key of the organization.',
      role: 'Role of the person; null for a key of the organization.',
      tier: 'Rate tier that counts for the call.',
    },
    Session: {
      user: 'The person who has signed in.',
      org: 'The organization of the session.',
      'org.name': 'Name of the organization.',
    },
    User: { id: 'Id of the person.' },
    OpenSession: { id: 'Id of the session.', userId: 'Id of the person.', createdOn: 'When the person signed in.' },
    ChangePassword: { currentPassword: 'The password so far.' },
    PasswordReset: { resetUrl: 'Address where the person sets a new password. Hand it over; it works once.' },
    FetchSession: {
      code: 'The code from the redirect. It works once, for one minute.',
      codeVerifier: 'The text whose SHA-256 was sent as `codeChallenge`.',
    },
    Member: { id: 'Id of the person.', joinedOn: 'When the person joined the organization.' },
    Invitation: {
      acceptedOn: 'When it was accepted; null until then.',
      acceptUrl: 'Address where the person accepts. Hand it over; it works once.',
    },
    AuditEntry: {
      createdOn: 'When it happened.',
      action: 'What was done.',
      actorType: 'Kind of caller; `nobody` for a call without a valid credential.',
      actorId: 'Id of the caller; null for a call without a valid credential.',
      address: 'IP address of the call; null if it is not known.',
      detail: 'Further facts, by name.',
    },
    IdentityProvider: {
      clientId: 'Client id that the identity provider gave to this service.',
      allowSignUp: 'Whether a first sign-in makes a person a member who is not one yet.',
    },
    McpMessage: {
      jsonrpc: 'Version of JSON-RPC.',
      method: 'Name of the method, such as `tools/call`.',
      params: 'Parameters of the method.',
    },
    McpAnswer: {
      jsonrpc: 'Version of JSON-RPC.',
      id: 'The `id` of the message.',
      result: 'The result, if the message was understood.',
      error: 'The error, if it was not.',
      'error.code': 'Code of JSON-RPC.',
      'error.message': 'What is wrong, in one sentence.',
    },
    Problem: {
      title: 'Short title of the code.',
      status: 'HTTP status of the answer.',
      'errors.message': 'What is wrong with the value, in one sentence.',
    },
  },
}
