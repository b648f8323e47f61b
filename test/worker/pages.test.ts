// The guide's table of endpoints against the operations that there are, and the guides as the Worker serves them.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import endpoints from '../../src/guides/endpoints.md?raw'
import { KINDS } from '../../src/kinds.ts'
import { CODES } from '../../src/platform/http/problem.ts'
import { GUIDES } from '../../src/scripts/guides/contents.ts'
import { CONTENT_SECURITY } from '../../src/scripts/guides/page.ts'
import { env, fetchWorker } from './api.ts'

describe('the guide on endpoints', () => {
  const rows = [...endpoints.matchAll(/^\| ((?:GET|POST|PUT|DELETE)[A-Z, ]*) \| (.+?) \|/gm)]
  const listed = rows.flatMap(([, methods = '', paths = '']) =>
    [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => ({ methods: methods.split(', '), path })),
  )
  /** Entity types share their paths; those of one type alone are named. */
  const generic = KINDS.flatMap(({ path, address }) =>
    ['', '/:id', '/batch', '/count', '/export', `/:${address?.parameter ?? 'id'}/restore`].map(
      tail => `/${path}${tail}`,
    ),
  )
  const there = routes.map(({ operation: { method, path } }) => ({
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    isGeneric: generic.includes(path),
  }))

  it('names every path', () => {
    const paths = new Set(listed.map(({ path }) => path))
    const missing = there.filter(({ path, isGeneric }) => !isGeneric && !paths.has(path)).map(({ path }) => path)
    expect(missing).toEqual([])
  })

  it('names every method of a path, and no path that is not there', () => {
    const wrong = listed.filter(({ methods, path }) => {
      const own = there.filter(route => (path.startsWith('/{entityName}') ? route.isGeneric : route.path === path))
      return own.length === 0 || !own.some(({ method }) => methods.includes(method))
    })
    expect(wrong).toEqual([])
    const unnamed = there.filter(
      ({ method, path, isGeneric }) =>
        !isGeneric && !listed.some(row => row.path === path && row.methods.includes(method)),
    )
    expect(unnamed).toEqual([])
  })
})

describe('the guides', () => {
  it.each(GUIDES)('/docs/$name is a page that loads nothing from elsewhere', async ({ name }) => {
    const response = await fetchWorker(`/docs/${name}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('Content-Security-Policy')).toBe(CONTENT_SECURITY)
    const html = await response.text()
    expect(html).toContain('<main id="text">\n<h1')
    const loaded = [...html.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]+)"/g)].map(([, address]) => address)
    expect(loaded).toEqual(['/docs/guides.svg', '/docs/guides.css', '/docs/guides.js', `/docs/${name}.md`])
    for (const address of loaded) expect((await fetchWorker(address ?? '')).status).toBe(200)
  })

  it('is not sent again to a browser that knows it', async () => {
    const first = await fetchWorker('/docs/types')
    const etag = first.headers.get('ETag') ?? ''
    expect((await fetchWorker('/docs/types', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  it('is found with a trailing slash, and another name is not found', async () => {
    const slashed = await fetchWorker('/docs/types/', { redirect: 'manual' })
    expect([slashed.status, slashed.headers.get('Location')]).toEqual([307, '/docs/types'])
    expect((await fetchWorker('/docs/tpyes')).status).toBe(404)
  })
})

describe('the page of an error', () => {
  it.each(CODES)('N82 /docs/errors/%s says cause, remedy and example, also as Markdown', async code => {
    const page = await fetchWorker(`/docs/errors/${code}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('Content-Security-Policy')).toBe(CONTENT_SECURITY)
    const html = await page.text()
    for (const part of ['id="cause"', 'id="remedy"', 'id="example"', code]) expect(html).toContain(part)
    const markdown = await (await fetchWorker(`/docs/errors/${code}.md`)).text()
    expect(markdown).toContain(`\n\`${code}\` · HTTP status`)
  })

  it('N82 is where the type of a problem leads', async () => {
    const response = await fetchWorker('/api/items')
    const { type, code } = (await response.json()) as { type: string; code: string }
    expect([response.status, type, code]).toEqual([401, '/docs/errors/unauthorized', 'unauthorized'])
    expect((await fetchWorker(type)).status).toBe(200)
  })
})

describe('an address that is not there', () => {
  it.each(['/docs/tpyes', '/docs/errors/none', '/nothing'])(
    'N115 %s is a page for a browser and a problem for a program',
    async path => {
      const page = await fetchWorker(path, { headers: { Accept: 'text/html,*/*;q=0.8' } })
      expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(await page.text()).toContain('Page not found')
      const problem = await fetchWorker(path)
      expect([problem.status, problem.headers.get('Content-Type')]).toEqual([404, 'application/problem+json'])
    },
  )
})

it('N115 llms.txt names the Markdown of every guide, and each is there', async () => {
  const text = await (await env.ASSETS.fetch('http://localhost/llms.txt')).text()
  const named = [...text.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map(([, address = '']) => address)
  expect(named).toEqual(GUIDES.map(({ name }) => `/docs/${name}.md`))
  for (const address of named)
    expect((await fetchWorker(address)).headers.get('Content-Type')).toMatch(/^text\/markdown/)
})

it('N115 the index of the search leads to every guide', async () => {
  const index = (await (await fetchWorker('/docs/search.json')).json()) as string[][]
  const found = new Set(index.map(([address = '']) => address.split('#')[0]))
  expect(GUIDES.filter(({ name }) => !found.has(`/docs/${name}`))).toEqual([])
})
