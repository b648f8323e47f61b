// One version, in package.json; whatever repeats it is held to it. // N62
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json'
import { PLACES, rankOf, releasedChangelog, versionsIn, withVersion } from '../../src/scripts/release/places.ts'
import { VERSION } from '../../src/version.ts'
import { markdownFiles, read } from '../markdown.ts'

const root = path.resolve(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

describe('N62 the version', () => {
  it.each(PLACES.map(place => [place.file, place] as const))('%s follows package.json', (_, place) => {
    const found = versionsIn(place, textOf(place.file))
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found)).toEqual(new Set([packageJson.version]))
  })

  it('stands in no other page', () => {
    const known = new Set([...PLACES.map(({ file }) => file), '.github/CHANGELOG.md'])
    const pages = markdownFiles().filter(file => !known.has(file) && read(file).includes(packageJson.version))
    expect(pages).toEqual([])
  })

  it('is what the Worker tells', () => {
    expect(VERSION).toBe(packageJson.version)
  })

  it('is changed in every place, and nowhere else', () => {
    for (const place of PLACES) {
      const changed = withVersion(place, textOf(place.file), '9.8.7')
      expect(new Set(versionsIn(place, changed))).toEqual(new Set(['9.8.7']))
      expect(withVersion(place, changed, packageJson.version)).toBe(textOf(place.file))
    }
  })

  it('only grows', () => {
    expect(rankOf('0.10.0')).toBeGreaterThan(rankOf('0.9.12'))
    for (const none of ['1', '1.2', 'v1.2.3', '1.2.3-beta', '']) expect(rankOf(none)).toBe(0)
  })
})

describe('the changelog', () => {
  const before = '# Changes\n\n## Unreleased\n\n- One thing.\n\n## 0.1.0\n\nThe first.\n'

  it('has the version that is in force, and its schema', () => {
    const section = new RegExp(`\\n## ${packageJson.version.replaceAll('.', '\\.')}\\b.*?Schema: \`0\\d{3}_\\w+\``, 's')
    expect(read('.github/CHANGELOG.md')).toMatch(section)
  })

  it('gets a section for a release, and an empty one above it', () => {
    const after = releasedChangelog(before, '0.2.0', '2026-12-01', '0009_more')
    expect(after).toContain(
      '## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- One thing.\n\nSchema: `0009_more`.\n\n## 0.1.0',
    )
    expect(() => releasedChangelog(after, '0.3.0', '2026-12-02', '0009_more')).toThrow('says nothing')
  })
})
