// Triggers in migrations: D1's query endpoint splits statements by itself, and answers "incomplete input" for a trigger of several lines.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../../drizzle')
const lines = readdirSync(folder)
  .filter(file => file.endsWith('.sql'))
  .flatMap(file =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .map((line, at) => ({ place: `${file}:${at + 1}`, line })),
  )

describe('a trigger in a migration', () => {
  const triggers = lines.filter(({ line }) => /\bCREATE\s+TRIGGER\b/i.test(line))

  it('stands on one line with one BEGIN and one END, which ends the line', () => {
    expect(triggers.length).toBeGreaterThan(0)
    const faulty = triggers.filter(
      ({ line }) =>
        !/^CREATE TRIGGER .* END;$/.test(line) ||
        line.match(/\bEND\b/gi)?.length !== 1 ||
        line.match(/\bBEGIN\b/gi)?.length !== 1,
    )
    expect(faulty.map(({ place }) => place)).toEqual([])
  })
})
