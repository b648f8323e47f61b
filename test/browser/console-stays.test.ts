// What somebody has typed, chosen or saved stays theirs: when they look elsewhere on the page, when answers come late, when the
// session ends, when another tab signs in somewhere else; and what is taken back is seen wherever one is by then.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { settled } from './console.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

const made = (name: string, more: Record<string, unknown> = {}) =>
  service.client.entities.create({
    entityName: 'item',
    object: { name, federatedId: name, typePath: 'item:apparel', roles: ['family'], ...more },
  })
const get = (id: string) => service.client.entities.get({ entityName: 'item', id })
const gridOf = (...ids: string[]) =>
  `/console/entities/items?order=federatedId.asc&columns=federatedId,name,fabric&criteria=${encodeURIComponent(JSON.stringify({ id: ids }))}`
const cell = (page: Page, place: string) => page.locator(`[data-cell="${place}"]`)

async function signIn(page: Page, orgSlug: string, email: string, password: string): Promise<void> {
  await page.getByLabel('Organization').fill(orgSlug)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('a cell', () => {
  it('N46 that is left by mouse keeps its text, and the focus is where the mouse was; the box of a row clears none', async () => {
    const [one, two] = [await made('STAY-1'), await made('STAY-2')]
    const { page, context } = await service.signedIn()
    await service.open(page, gridOf(one.id, two.id))
    await cell(page, '0-1').click()
    await page.keyboard.type('Red')
    await cell(page, '1-1').click()
    await page.keyboard.type('Blue')
    await page.keyboard.press('Enter')
    expect(await cell(page, '0-1').innerText()).toBe('Red')
    expect(await cell(page, '1-1').innerText()).toBe('Blue')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByLabel('Select STAY-1').check()
    await page.keyboard.press('Delete')
    await page.getByText('1 cell').waitFor({ state: 'detached' })
    expect(await cell(page, '0-0').innerText()).toBe('STAY-1')
    await context.close()
  })

  it('N46 that was saved is taken back after its page was left, and the page that is open shows it', async () => {
    const item = await made('STAY-3', { fabric: 'Linen' })
    const { page, context } = await service.signedIn()
    await service.open(page, gridOf(item.id))
    const type = async (text: string) => {
      await cell(page, '0-2').click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await type('Hemp')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    await type('Wool')
    await cell(page, '0-0').locator('a').click()
    await page.locator('dl.properties').getByText('Hemp').waitFor()
    await page.goBack()
    await cell(page, '0-2').getByText('Wool').waitFor()
    // What is not saved goes first, wherever it was typed.
    await page.keyboard.press('Control+z')
    await cell(page, '0-2').getByText('Hemp').waitFor()
    await cell(page, '0-0').locator('a').click()
    await page.locator('dl.properties').getByText('Hemp').waitFor()
    await page.keyboard.press('Control+z')
    await page.locator('dl.properties').getByText('Linen').waitFor()
    expect(await get(item.id)).toMatchObject({ fabric: 'Linen', version: 3 })
    await context.close()
  })
})

describe('a form', () => {
  it('N46 stays open where its margin is clicked or text is marked; Escape closes it after a question, and the focus goes back', async () => {
    const { page, context } = await service.signedIn()
    // The schema comes when the type has been typed.
    let letSchemaCome = () => {}
    const schemaMayCome = new Promise<void>(resolve => {
      letSchemaCome = resolve
    })
    await service.open(page, '/console/entities/items')
    await page.route('**/schema**', async route => {
      await schemaMayCome
      await route.continue()
    })
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type').fill('item:apparel')
    letSchemaCome()
    await dialog.getByLabel('Name', { exact: true }).waitFor()
    expect(await dialog.getByLabel('Type').inputValue()).toBe('item:apparel')
    await dialog.getByLabel('Name', { exact: true }).fill('Kept')
    const box = await dialog.boundingBox()
    if (!box) throw new Error('the dialog is not shown')
    await page.mouse.click(box.x + 8, box.y + 8)
    const field = await dialog.getByLabel('Name', { exact: true }).boundingBox()
    if (!field) throw new Error('the field is not shown')
    await page.mouse.move(field.x + 5, field.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x - 30, field.y + 5)
    await page.mouse.up()
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Kept')
    page.once('dialog', question => void question.accept())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add')
    await context.close()
  })

  it('N46 of an entity that somebody else has changed keeps what was typed, and is saved over what they wrote', async () => {
    const item = await made('STAY-4', { fabric: 'Linen' })
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/entities/items/${item.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await service.client.entities.update({ entityName: 'item', id: item.id, body: { fabric: 'Theirs' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else has changed it.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved.').waitFor()
    expect(await get(item.id)).toMatchObject({ name: 'Mine', fabric: 'Theirs', version: 3 })
    await context.close()
  })
})

describe('a session', () => {
  it('N45 that ends takes nothing along: whoever signs in again goes on where they were', async () => {
    const item = await made('STAY-5')
    const { page, context } = await service.signedIn()
    await service.open(page, gridOf(item.id))
    await cell(page, '0-1').click()
    await page.keyboard.type('Typed')
    await page.keyboard.press('Enter')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    // Browsers close a dialog at the second one.
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    await page.locator('dialog.cover[open]').waitFor()
    const { orgSlug, email, password } = service.service.admin
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    await page.route('**/api/auth/me', route => route.fulfill({ status: 500, json: { detail: 'Who is that?' } }))
    await signIn(page, orgSlug, email, password)
    await page.getByText('Who is that?').waitFor()
    await page.unroute('**/api/auth/me')
    await signIn(page, orgSlug, email, password)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    expect((await get(item.id)).name).toBe('Typed')
    await context.close()
  })

  it('N45 also where somebody signs in elsewhere: another tab does, and this one goes on', async () => {
    const item = await made('STAY-8')
    const { page, context } = await service.signedIn()
    await service.open(page, gridOf(item.id))
    await cell(page, '0-1').click()
    await page.keyboard.type('Kept')
    await page.keyboard.press('Enter')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Single sign-on, in another tab' }).click()
    const other = await opened
    await other.getByRole('button', { name: 'Single sign-on' }).waitFor()
    const { orgSlug, email, password } = service.service.admin
    await signIn(other, orgSlug, email, password)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    expect((await get(item.id)).name).toBe('Kept')
    await context.close()
  })

  it('N45 of another organization in another tab is not that of this one', async () => {
    const admin = { email: 'ann@elsewhere.example', password: 'correct horse battery' }
    await service.operator.createOrg({ slug: 'elsewhere', name: 'Elsewhere', admin })
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/entities/items')
    const other = await context.newPage()
    await other.goto(`${service.origin}/console/`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(other, 'elsewhere', admin.email, admin.password)
    await other.locator('.frame').waitFor()
    expect(await other.locator('.side .org').innerText()).toBe('elsewhere')
    expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1)
    await signIn(page, 'elsewhere', admin.email, admin.password)
    await page.locator('.side .org', { hasText: 'elsewhere' }).waitFor()
    await settled(page)
    await context.close()
  })
})

describe('a page', () => {
  it('N46 shows a text where a time is expected, and asks about the deletion of the type that it was asked for alone', async () => {
    const item = await made('STAY-6', { expiresOn: 'tbd' })
    await service.client.entities.create({
      entityName: 'type',
      object: { typePath: 'item:stay', label: 'Stay', properties: [] },
    })
    await service.client.entities.create({
      entityName: 'type',
      object: { typePath: 'item:stay:below', label: 'Below', properties: [] },
    })
    await made('STAY-7', { typePath: 'item:stay' })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, `/console/entities/items/${item.id}`)
    await page.locator('dl.properties').getByText('tbd').waitFor()
    expect(complaints).toEqual([])
    await service.open(page, '/console/types/item:stay')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'item:stay:below' }).click()
    await page.getByRole('heading', { level: 1, name: 'Below' }).waitFor()
    await settled(page)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await context.close()
  })
})
