import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureVars } from '../../src/scripts/dev-vars.ts'
import { read } from '../markdown.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'selvedge-vars-'))
  file = path.join(folder, '.dev.vars')
})
afterEach(() => rmSync(folder, { recursive: true }))

const WANTED = { OPERATOR_KEY: 'made', SECRETS_KEY: 'made too' }

describe('N13 the secrets of a local start', () => {
  it('are made where there are none, and kept', () => {
    expect(ensureVars(file, WANTED)).toEqual(WANTED)
    const before = readFileSync(file, 'utf8')
    expect(ensureVars(file, { OPERATOR_KEY: 'another', SECRETS_KEY: 'another' })).toEqual(WANTED)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('are filled in where somebody has copied the example', () => {
    writeFileSync(file, read('.dev.vars.example'))
    expect(ensureVars(file, WANTED)).toEqual(WANTED)
    expect(ensureVars(file, {})).toEqual(WANTED)
  })

  it('leave alone what somebody has written, comments and a last line without an end too', () => {
    writeFileSync(file, '# KEY=none\nOPERATOR_KEY="own # key"\nMORE=1')
    expect(ensureVars(file, WANTED)).toEqual({ OPERATOR_KEY: 'own # key', MORE: '1', SECRETS_KEY: 'made too' })
    expect(ensureVars(file, {})).toEqual({ OPERATOR_KEY: 'own # key', MORE: '1', SECRETS_KEY: 'made too' })
  })
})
