// How the tests' organizations are known to the identity provider.
export const CLIENT_ID = 'selvedge'
export const CLIENT_SECRET = 'client-secret-of-the-tests-0123456789'
