// Holds the rules of the house about single files: their size, their names, and what they may not hold.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { all, codeOf, offenders, sources, tests } from './sources.ts'

const LINES_MAX = 300
const TEST_LINES_MAX = 400

describe('files', () => {
  it(`have no more than ${LINES_MAX} lines, tests ${TEST_LINES_MAX}`, () => {
    expect(offenders(sources, ({ text }) => text.split('\n').length > LINES_MAX)).toEqual([])
    expect(offenders(tests, ({ text }) => text.split('\n').length > TEST_LINES_MAX)).toEqual([])
  })

  it('have names that say what is in them, in kebab-case', () => {
    const vague = /(^|[/-])(utils?|common|helpers?|misc|manager|impl|dto)\.tsx?$|\/types\.tsx?$/
    // Where `types` is the word of the specification, for what describes entities.
    const isTheWord = (file: string) =>
      file.startsWith('src/features/types/') || file.startsWith('src/clients/cli/commands/')
    expect(offenders(all, ({ file }) => vague.test(file) && !isTheWord(file))).toEqual([])
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.long)?(\.test|\.config)?\.tsx?$/
    expect(offenders(all, ({ file }) => !kebab.test(path.posix.basename(file)))).toEqual([])
  })

  it('hold no any, no assertion that something is there, and no suppression', () => {
    const any = /:\s*any\b(?=\s*[,;)=|&{\n[\]])|<any\b|\bas any\b/
    const assertion = /[\w)\]]!(?=[.;,)\]\n[])/
    const suppression = /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable/
    const self = 'test/pure/file-rules.test.ts'
    const others = all.filter(({ file }) => file !== self)
    expect(offenders(others, ({ text }) => any.test(withoutTemplates(codeOf(text))))).toEqual([])
    expect(offenders(others, ({ text }) => assertion.test(withoutTemplates(codeOf(text))))).toEqual([])
    expect(offenders(others, ({ text }) => suppression.test(text))).toEqual([])
  })

  it('skip no test and leave none alone', () => {
    const skipped = /\b(it|test|describe)(\.\w+)*\.(skip|only|todo|fails)\b/
    expect(
      offenders(tests, ({ file, text }) => file !== 'test/pure/file-rules.test.ts' && skipped.test(codeOf(text))),
    ).toEqual([])
  })

  it('have named exports, but for the entry of the Worker and settings of tools', () => {
    expect(offenders(sources, ({ file, text }) => /^export default/m.test(text) && file !== 'src/index.ts')).toEqual([])
  })

  it('pure files read no clock and no randomness', () => {
    const pure = sources.filter(({ text }) => /^\/\/.*\bPure\.$/m.test(text))
    expect(pure.length).toBeGreaterThan(3)
    expect(
      offenders(pure, ({ text }) =>
        /\bDate\.now\(|\bnew Date\(\)|Math\.random|performance\.now|\bfetch\(|getRandomValues/.test(codeOf(text)),
      ),
    ).toEqual([])
  })
})

/** Templates hold text of other languages, such as SQL. */
function withoutTemplates(code: string): string {
  return code
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, '``')
    .replaceAll(/\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, '0')
}
