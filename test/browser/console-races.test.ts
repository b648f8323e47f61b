// What comes late, or at the wrong time: the check of another file, a session that has ended, an answer when somebody is elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Console } from './console.ts'
import { newItem } from './grid-cells.ts'
import { answers, hold, problem } from './held.ts'

const START_MS = 320_000
const TEST_MS = 120_000

let service: Console

beforeAll(async () => {
  service = await Console.start()
}, START_MS)
afterAll(() => service?.stop())

const made = (name: string, more: Record<string, unknown> = {}) => service.client.entities.create(newItem(name, more))

describe('a load', () => {
  it(
    'N46 the check of one file is not that of the next; one that cannot be followed leaves no bar behind',
    async () => {
      const { page, context } = await service.signedIn()
      await service.open(page, '/console/loads/new')
      const choose = (name: string, rows: readonly string[]) =>
        page.setInputFiles('input[aria-label="CSV file"]', {
          name,
          mimeType: 'text/csv',
          buffer: Buffer.from(['itemFamilyFederatedId,name', ...rows].join('\n')),
        })
      await choose('first.csv', ['RACE-A,First', 'RACE-B,Second'])
      const check = page.getByRole('button', { name: /^Check/ })
      await check.click()
      await page.getByText('2 new, 0 changed').waitFor()
      await page.getByRole('button', { name: 'Load 2 changes' }).waitFor()

      await choose('second.csv', ['RACE-C,Third'])
      await page.getByText('second.csv').first().waitFor()
      await page.route('**/api/loader-processes', route => route.fulfill(problem(409, 'Not now.')))
      await check.click()
      await page.getByText('Not now.').waitFor()
      expect(await page.getByText('2 new').count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Load', exact: true }).isDisabled()).toBe(true)

      await page.unroute('**/api/loader-processes')
      const bar = page.getByRole('progressbar', { name: 'Progress of the load' })
      let isSeen = false
      await page.route('**/api/loader-processes/*', async route => {
        if (isSeen) {
          await bar.waitFor()
          return route.fulfill(problem(409, 'It cannot be followed.'))
        }
        isSeen = true
        const id = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
        await route.fulfill({ json: { ...(await service.client.loads.get({ id })), status: 'running' } })
      })
      await check.click()
      await page.getByText('It cannot be followed.').waitFor()
      expect(await bar.count()).toBe(0)
      await context.close()
    },
    TEST_MS,
  )
})

describe('a session that has ended', () => {
  it(
    'N45 writes nothing to the organization of whoever signs in next',
    async () => {
      const admin = { email: 'ann@next.example', password: 'correct horse battery' }
      await service.operator.createOrg({ slug: 'next', name: 'Next', admin })
      const { page, context } = await service.signedIn()
      await service.open(page, '/console/files')
      const upload = await hold(page, 'POST', /\/files$/)
      await page
        .getByLabel('Files to upload')
        .setInputFiles(
          ['one.txt', 'two.txt'].map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
        )
      await upload.begun
      const other = await context.newPage()
      await other.goto(`${service.origin}/console/`)
      await other.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await other.getByLabel('Organization').fill('next')
      await other.getByLabel('Email').fill(admin.email)
      await other.getByLabel('Password').fill(admin.password)
      await other.getByRole('button', { name: 'Sign in' }).click()
      await other.locator('.frame').waitFor()
      upload.release()
      await page.getByText('two.txt was not uploaded').waitFor()
      await service.open(other, '/console/files')
      await other.getByText('No files yet').waitFor()
      await context.close()
    },
    TEST_MS,
  )
})

describe('what ends late', () => {
  it(
    'N46 takes nobody away from another page, and asks before it leads away from a form that is half made',
    async () => {
      const item = await made('RACE-1')
      const { page, context } = await service.signedIn()
      await service.open(page, '/console/types')
      const types = await hold(page, 'POST', /\/types$/)
      await page.getByRole('button', { name: 'Describe a type' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Type path').fill('item:race')
      await dialog.getByRole('button', { name: 'Add the type' }).click()
      await types.begun
      await page.evaluate(`history.pushState(null, '', '/console/entities/items/${item.id}')`)
      await page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByLabel('Name', { exact: true }).fill('Half')
      const leaving = answers(page)
      types.release()
      await page.getByText('Added item:race.').waitFor()
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half')
      await page.getByRole('button', { name: 'Look at it' }).click()
      await expect.poll(() => leaving.asked.length).toBe(1)
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half')
      await context.close()
    },
    TEST_MS,
  )
})
