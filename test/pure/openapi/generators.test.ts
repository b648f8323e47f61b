// The document as programs read it: Redocly's linter finds no error, and a client can be generated with every operation.
import { bundleFromString, createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { described, document, text } from './api-document.ts'

describe('the API document', () => {
  it('passes the recommended rules of Redocly without an error', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, config })
    const told = problems.map(({ severity, ruleId, location, message }) => ({
      severity,
      ruleId,
      message,
      at: location[0]?.pointer,
    }))
    expect(told.filter(({ severity }) => severity === 'error')).toEqual([])
    // A redirect is the one good answer of single sign-on.
    expect(new Set(told.map(({ ruleId }) => ruleId))).toEqual(new Set(['operation-2xx-response']))
    const { problems: unbundled } = await bundleFromString({ source: text, config })
    expect(unbundled).toEqual([])
  })

  it('gives openapi-typescript every operation', async () => {
    const types = astToString(await openapiTS(structuredClone(document) as never, { silent: true }))
    const made = types.slice(types.indexOf('export interface operations'))
    const missing = described.filter(({ operation }) => !new RegExp(`^ {4}${operation.operationId}: `, 'm').test(made))
    expect(missing.map(({ operation }) => operation.operationId)).toEqual([])
  })
})
