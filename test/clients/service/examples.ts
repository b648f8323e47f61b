// Everything that the README and the guides tell people to type is typed here, against the real service: each call must answer
// as the page says. Each page has an organization of its own, filled like that of a first start.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect, Operator } from '../../../src/clients/typescript/index.ts'
import { fillOrganization } from '../../../src/scripts/demo/seed.ts'
import { GUIDES } from '../../../src/scripts/guides/contents.ts'
import { fencesOf, read } from '../../markdown.ts'
import { Receiver } from './receiver.ts'
import { expectedAnswers, isExample, Shell } from './shell.ts'
import type { Service } from './start.ts'

/** Pages that say themselves how to set up; the others refer to the first guide. */
const FIRST = ['README.md', 'src/guides/README.md']
const PAGES = [...new Set([...FIRST, ...GUIDES.map(guide => guide.file)])]
const EXAMPLES = PAGES.filter(file => fencesOf(read(file)).some(isExample))
const SETUP = fencesOf(read('src/guides/README.md')).find(isExample)?.text ?? ''
const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' }
const PAGE_TIMEOUT_MS = 180_000

const slugOf = (file: string) =>
  file
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .slice(0, 60)

export function examples(started: () => Service): void {
  describe('what the pages tell people to type', () => {
    const receiver = new Receiver()
    let receiverUrl = ''

    beforeAll(async () => {
      receiverUrl = await receiver.listen()
    })
    afterAll(() => receiver.close())

    /** What has to have come of a page besides its answers. */
    const outcomes: Record<string, (client: Client) => Promise<void>> = {
      'src/guides/loads.md': async client => {
        const { results } = await client.loads.list()
        for (const { id } of results) await client.loads.wait({ id })
        const loaded = (await client.loads.list()).results
        expect(loaded.map(load => load.warningCount)).toEqual([0, 0, 0])
        expect(loaded.map(load => load.results.item?.created)).toEqual([5, 5, 5])
        expect(loaded.map(load => load.results['assortment-item']?.created)).toEqual([undefined, 6, 6])
        const criteria = { federatedId: 's-100-ecru' }
        const [option] = (await client.entities.list({ entityName: 'item', queryParams: { criteria } })).results
        const values = { gender: 'women', retailPrice: 59, line: 'Women / core', channel: 'R', season: 'SS27' }
        expect(option).toMatchObject({ typePath: 'item:seasonal', name: 'Ecru', ...values })
      },
      'src/guides/undo.md': async client => {
        const reverts = (await client.reverts.list()).results
        expect(reverts).toHaveLength(3)
        for (const { id } of reverts) expect(await client.reverts.wait({ id })).toMatchObject({ issueCount: 0 })
        const colors = await client.entities.list({
          entityName: 'color',
          queryParams: { criteria: { federatedId: 'MOSS' } },
        })
        expect(colors.results).toMatchObject([{ name: 'Moss', version: 3, price: 4 }])
        const items = await client.entities.list({ entityName: 'item', queryParams: { criteria: { name: 'Parka' } } })
        expect(items.results).toMatchObject([{ price: 90, version: 5 }])
      },
      'src/guides/workflows.md': async client => {
        const [run] = (await client.entities.list({ entityName: 'event-workflow-process' })).results
        expect(await client.workflows.wait({ id: run?.id ?? '' })).toMatchObject({ status: 'complete' })
        const criteria = { name: 'P-1' }
        const [item] = (await client.entities.list({ entityName: 'item', queryParams: { criteria } })).results
        expect(item).toMatchObject({ state: 'released', approvedBy: 'Ann', net: 125, price: 149 })
      },
      'src/guides/events.md': async () => {
        await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2)
        const secret = /whsec_[^"\\]+/.exec(read('src/guides/events.md'))?.[0] ?? ''
        const [first, again] = receiver.received
        const event = new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})
        expect(event).toMatchObject({ type: 'item|create', data: { newData: { name: 'Seen by the shop' } } })
        expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      },
    }

    it.each(EXAMPLES)(
      '%s works as printed',
      async file => {
        const { baseUrl, operatorKey } = started().operator
        const slug = slugOf(file)
        const operator = new Operator({ baseUrl, operatorKey })
        await operator.createOrg({ slug, name: file, admin: ADMIN })
        const { key } = await operator.createKey({ slug, name: 'examples', tier: 'internal' })
        const client = connect({ baseUrl, orgSlug: slug, apiKey: key })
        await fillOrganization(client)
        const shell = new Shell({
          BASE_URL: baseUrl,
          ORG_SLUG: slug,
          API_KEY: key,
          OPERATOR_KEY: operatorKey,
          ADMIN_EMAIL: ADMIN.email,
          ADMIN_PASSWORD: ADMIN.password,
          RECEIVER: receiverUrl,
        })
        try {
          const fences = fencesOf(read(file))
          const { printed, answers } = await shell.run(fences, FIRST.includes(file) ? '' : SETUP)
          expect(answers, printed).toEqual(expectedAnswers(fences))
        } finally {
          shell.end()
        }
        await outcomes[file]?.(client)
      },
      PAGE_TIMEOUT_MS,
    )

    it('pages with outcomes are pages', () => {
      expect(EXAMPLES).toEqual(expect.arrayContaining(Object.keys(outcomes)))
    })
  })
}
