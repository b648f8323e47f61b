import { describe, expect, it } from 'vitest'
import { parseRedirect, withParameters } from '../../../src/features/sso/redirect.ts'

const OWN = 'https://selvedge.example'

describe('where single sign-on may lead back to', () => {
  it.each([
    'https://selvedge.example/console/sso',
    'https://selvedge.example/console/sso?next=%2Fitems',
    'http://127.0.0.1:43111/callback',
    'http://127.0.0.1/',
    'http://[::1]:9000/cb',
  ])('N11 allows %s', uri => {
    expect(parseRedirect(uri, OWN)?.href).toBe(uri)
  })

  it.each([
    'https://evil.example/',
    'https://selvedge.example.evil.example/',
    'https://selvedge.example@evil.example/',
    'https://user:pass@selvedge.example/',
    'http://selvedge.example/console',
    'https://selvedge.example:8443/',
    '//evil.example/',
    '/console',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://localhost:9000/cb',
    'https://127.0.0.1:9000/cb',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://0.0.0.0:9000/',
    'https://selvedge.example/console#token',
    'https://selvedge.example/console#',
    `http://127.0.0.1/${'x'.repeat(1000)}`,
    '',
  ])('N11 refuses %s', uri => {
    expect(parseRedirect(uri, OWN)).toBeUndefined()
  })

  it('adds parameters, and replaces those of the same name', () => {
    expect(withParameters('http://127.0.0.1:1/?a=1&code=old', { code: 'n e&w', state: null })).toBe(
      'http://127.0.0.1:1/?a=1&code=n+e%26w',
    )
  })
})
