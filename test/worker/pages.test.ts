// The README's table of endpoints against the operations that there are, and the guides as the Worker serves them.
import { describe, expect, it } from 'vitest'
import readme from '../../README.md?raw'
import { routes } from '../../src/app.ts'
import { KINDS } from '../../src/kinds.ts'
import { GUIDES } from '../../src/scripts/guides/contents.ts'
import { CONTENT_SECURITY } from '../../src/scripts/guides/page.ts'
import { fetchWorker } from './api.ts'

describe('the table of endpoints in the README', () => {
  const rows = [...readme.matchAll(/^\| ((?:GET|POST|PUT|DELETE)[A-Z, ]*) \| (.+?) \|/gm)]
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
    expect(loaded).toEqual(['/docs/guides.svg', '/docs/guides.css'])
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
