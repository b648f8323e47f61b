// What comes late, or at the wrong time: the check of another file, a session that has ended, an answer when somebody is elsewhere.
import { describe, expect, it } from 'vitest'
import { newItem } from './grid-cells.ts'
import { answers, hold, problem, step } from './held.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

const made = (name: string, more: Record<string, unknown> = {}) => service.client.entities.create(newItem(name, more))

describe('a load', () => {
  it('N46 the check of one file is not that of the next; one that cannot be followed leaves no bar behind', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    const choose = (name: string, rows: readonly string[]) =>
      page.setInputFiles('input[aria-label="CSV file or Excel workbook"]', {
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
  })
})

describe('a session that has ended', () => {
  it('N45 writes nothing to the organization of whoever signs in next', async () => {
    const admin = { email: 'ann@next.example', password: 'correct horse battery' }
    await service.operator.createOrg({ slug: 'next', name: 'Next', admin })
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/files')
    const upload = await hold(page, 'POST', /\/files$/)
    await page
      .getByLabel('Files to upload')
      .setInputFiles(['one.txt', 'two.txt'].map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })))
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
  })
})

describe('what ends late', () => {
  it('N46 takes nobody away from another page, and asks before it leads away from a form that is half made', async () => {
    const item = await made('RACE-1')
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/types')
    const types = await hold(page, 'POST', /\/types$/)
    await page.getByRole('button', { name: 'Describe a type' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type path').fill('item:race')
    await dialog.getByRole('button', { name: 'Add the type' }).click()
    await types.begun
    await step(page, `/console/entities/items/${item.id}`)
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
  })
})

describe('a form that is being sent', () => {
  it('N46 keeps what is typed meanwhile, to be saved by itself', async () => {
    const item = await made('RACE-2', { fabric: 'Linen' })
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/entities/items/${item.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const saving = await hold(page, 'PUT', /\/items\/[^/]+$/)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByLabel('Name', { exact: true }).fill('Sent')
    await save.click()
    await saving.begun
    await page.getByLabel('Fabric', { exact: true }).fill('Hemp')
    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).isDisabled()).toBe(true)
    saving.release()
    await page.getByText('Saved.').waitFor()
    expect(await page.getByLabel('Fabric', { exact: true }).inputValue()).toBe('Hemp')
    await save.click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const { results } = await service.client.entities.list({
      entityName: 'item',
      queryParams: { criteria: { id: item.id } },
    })
    expect(results[0]).toMatchObject({ name: 'Sent', fabric: 'Hemp', version: 3 })
    await context.close()
  })

  it('N46 stays until it is answered: nothing looks like cancelling that cancels nothing', async () => {
    const item = await made('RACE-3')
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/entities/items/${item.id}`)
    const deleting = await hold(page, 'DELETE', /\/items/)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete RACE-3?' })
    await dialog.getByRole('button', { name: 'Delete RACE-3' }).click()
    await deleting.begun
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await dialog.isVisible()).toBe(true)
    deleting.release()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('This was deleted').waitFor()
    await context.close()
  })
})

describe('what would be lost', () => {
  it('N46 an entity that is half made goes by no key and no click without a question', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/entities/items')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await name.fill('Half')
    const leaving = answers(page)
    for (let times = 1; times <= 3; times++) {
      await page.keyboard.press('Escape')
      await expect.poll(() => leaving.asked.length).toBe(times)
    }
    await page.mouse.click(5, 5)
    await expect.poll(() => leaving.asked.length).toBe(4)
    await page.evaluate('history.back()')
    await expect.poll(() => leaving.asked.length).toBe(5)
    expect(await name.inputValue()).toBe('Half')
    leaving.doesLeave = true
    await page.keyboard.press('Escape')
    await name.waitFor({ state: 'detached' })
    await context.close()
  })

  it('N46 a key that is shown once stays until somebody has it; one that nobody saw is told', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/settings/keys')
    const make = async (name: string) => {
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Make the key' }).click()
    }
    await make('One')
    await page.getByText('The key “One”, this once').waitFor()
    await make('Two')
    await page.getByText('The key “Two”, this once').waitFor()
    expect(await page.locator('.issued').count()).toBe(2)
    const leaving = answers(page)
    const files = page.getByRole('link', { name: 'Files' }).first()
    await files.click()
    await expect.poll(() => leaving.asked).toEqual([expect.stringContaining('cannot be shown again')])
    for (let left = 2; left > 0; left--) await page.getByRole('button', { name: 'I have it' }).first().click()
    const making = await hold(page, 'POST', /\/api-keys$/)
    await make('Three')
    await making.begun
    await step(page, '/console/files')
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    making.release()
    await page.getByText('The key “Three” was made, and nobody saw it').waitFor()
    expect(leaving.asked).toHaveLength(1)
    await context.close()
  })

  it('N46 also where the operator goes to another tab', async () => {
    const { page, context } = await service.asOperator()
    await service.open(page, '/console/operator/organizations/demo?tab=keys')
    await page.getByRole('button', { name: 'Make a token' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Lost')
    await page.getByRole('button', { name: 'Make the token' }).click()
    await page.getByText('The token “Lost”, this once').waitFor()
    const leaving = answers(page)
    await page.getByRole('link', { name: 'Quotas' }).click()
    await expect.poll(() => leaving.asked.length).toBe(1)
    await page.getByText('The token “Lost”, this once').waitFor()
    leaving.doesLeave = true
    await page.getByRole('link', { name: 'Quotas' }).click()
    await page.getByLabel('Limit: Entities').waitFor()
    await context.close()
  })
})
