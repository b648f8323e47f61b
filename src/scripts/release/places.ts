// The version stands in package.json; these are the places that repeat it for tools that cannot look there. Pure.

export interface Place {
  file: string
  /** What stands around the version; it may occur more than once. */
  before: string
  after: string
}

export const PLACES: readonly Place[] = [
  { file: 'package.json', before: '"version": "', after: '"' },
  { file: 'package-lock.json', before: '"name": "selvedge",\n  "version": "', after: '"' },
  { file: 'package-lock.json', before: '"name": "selvedge",\n      "version": "', after: '"' },
  {
    file: 'src/clients/java/pom.xml',
    before: '<artifactId>selvedge-client</artifactId>\n  <version>',
    after: '</version>',
  },
  { file: 'src/clients/java/README.md', before: '<version>', after: '</version>' },
  { file: 'src/clients/typescript/README.md', before: 'selvedge-', after: '.tgz' },
  { file: 'src/clients/cli/README.md', before: 'selvedge-', after: '.tgz' },
  { file: 'src/clients/python/pyproject.toml', before: 'version = "', after: '"' },
  { file: 'src/clients/python/selvedge/__init__.py', before: '__version__ = "', after: '"' },
  { file: 'src/clients/python/README.md', before: 'selvedge-', after: '-py3' },
]

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patternOf = ({ before, after }: Place) =>
  new RegExp(`(${escaped(before)})(\\d+\\.\\d+\\.\\d+)(?=${escaped(after)})`, 'g')

export function versionsIn(place: Place, text: string): string[] {
  return [...text.matchAll(patternOf(place))].map(([, , version = '']) => version)
}

export function withVersion(place: Place, text: string, version: string): string {
  return text.replaceAll(patternOf(place), `$1${version}`)
}

/** 0 where it is none; the next must be larger. */
export function rankOf(version: string): number {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []
  return patch === undefined ? 0 : (Number(major) * 1000 + Number(minor)) * 1000 + Number(patch)
}

/** The section of what is not released yet gets the version's name, and an empty one stands above it. */
export function releasedChangelog(text: string, version: string, day: string, schema: string): string {
  const [, unreleased = ''] = /\n## Unreleased\n(.*?)(?=\n## )/s.exec(text) ?? []
  if (unreleased.trim() === '') throw new Error('CHANGELOG.md says nothing under "Unreleased"')
  const section = `\n## ${version} (${day})\n\n${unreleased.trim()}\n\nSchema: \`${schema}\`.\n`
  return text.replace(/\n## Unreleased\n.*?(?=\n## )/s, () => `\n## Unreleased\n${section}`)
}
