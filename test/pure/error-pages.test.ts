// N82: the table of error pages against the codes that the sources use.
import { expect, it } from 'vitest'
import { REFUSAL_CODES } from '../../src/features/workflows/refused.ts'
import { CODES } from '../../src/platform/http/problem.ts'
import { ERROR_PAGES } from '../../src/scripts/guides/error-pages.ts'
import { worker } from './sources.ts'

const pages = new Set(ERROR_PAGES.map(({ name }) => name))

it('N82 every code that the Worker throws has a page', () => {
  const thrown = worker.flatMap(({ text }) => [...text.matchAll(/new Fault\(\s*'(\w+)'/g)].map(([, code = '']) => code))
  expect(thrown.length).toBeGreaterThan(100)
  const codes = new Set<string>([...thrown, ...REFUSAL_CODES, ...CODES])
  expect([...codes].filter(code => !pages.has(`errors/${code}`))).toEqual([])
})

it('N82 every error page names cause, remedy and an example with the address of the page as its type', () => {
  const lacking = ERROR_PAGES.filter(
    ({ name, text }) =>
      !['## Cause\n\n', '## Remedy\n\n', '## Example\n\n', `"type": "/docs/${name}"`].every(part =>
        text.includes(part),
      ),
  )
  expect(lacking.map(({ name }) => name)).toEqual([])
})
