// N113: the models of the clients are those that `npm run models` makes from the OpenAPI document of today.
import { describe, expect, it } from 'vitest'
import { pythonModels } from '../../../src/scripts/models/python.ts'
import { read } from '../../markdown.ts'
import { text } from './api-document.ts'

describe('N113 models', () => {
  it('N113 models of the Python client are what `npm run models` makes from the document', () => {
    const isCurrent = read('src/clients/python/selvedge/models.py') === pythonModels(JSON.parse(text))
    expect(isCurrent, 'Run `npm run models`.').toBe(true)
  })
})
