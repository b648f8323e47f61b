// The console gone through as a person would: signing in, editing by mouse and by keyboard, history, restoring, loading a file and
// taking it back, answering a task.
import { describe, expect, it } from 'vitest'
import { settled, type Visit } from './console.ts'
import { firstPage } from './first-page.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

const cell = (visit: Visit, row: number, column: number) => visit.page.locator(`[data-cell="${row}-${column}"]`)

async function made(name: string, more: Record<string, unknown> = {}) {
  const object = { name, federatedId: name, typePath: 'item:apparel', roles: ['family'], ...more }
  return service.client.entities.create({ entityName: 'item', object })
}

const get = (id: string) => service.client.entities.get({ entityName: 'item', id })
const only = (id: string) => `/console/entities/items?criteria=${encodeURIComponent(JSON.stringify({ id: [id] }))}`

describe('signing in and out', () => {
  it('N45 comes back to the address that was asked for, keeps no token where scripts can read it, and ends', async () => {
    const visit = await service.visit()
    const { page, context, complaints } = visit
    await service.signIn(page, '/console/history?type=item')
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    expect(new URL(page.url()).search).toBe('?type=item')
    const cookies = await context.cookies(`${service.origin}/api/items`)
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }])
    const readable = await page.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])',
    )
    expect(readable).not.toContain(cookies[0]?.value)
    await page.waitForLoadState('networkidle')
    expect(complaints).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    // What was on its way at that moment may have been refused.
    complaints.length = 0
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N45 a wrong password says so and leaves what was typed', async () => {
    const { page, context } = await service.visit()
    await page.goto(`${service.origin}/console/`)
    await page.getByLabel('Organization').fill('demo')
    await page.getByLabel('Email').fill('nobody@demo.example')
    await page.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('is not right').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody@demo.example')
    await context.close()
  })

  it('N45 an invitation is accepted on its page, whose address keeps no token', async () => {
    const admin = await service.signedIn()
    await service.open(admin.page, '/console/settings/members')
    await admin.page.getByLabel('Email').fill('new@demo.example')
    await admin.page.getByRole('button', { name: 'Make the link' }).click()
    const link = await admin.page.locator('code', { hasText: '/console/invitation#token=' }).innerText()
    const guest = await service.visit()
    await guest.page.goto(link)
    await guest.page.getByLabel('New password').fill('a password of the guest')
    await guest.page.getByLabel('The same again').fill('a password of the guest')
    expect(guest.page.url()).not.toContain('token')
    await guest.page.getByRole('button', { name: 'Join and sign in' }).click()
    await guest.page.locator('.frame').waitFor()
    expect(await guest.page.locator('.side .who').innerText()).toBe('new@demo.example')
    expect(guest.complaints).toEqual([])
    await admin.context.close()
    await guest.context.close()
  })
})

describe('the grid', () => {
  it('N46 is edited by keyboard alone, saved as one batch and taken back', async () => {
    const item = await made('KEYS-1', { fabric: 'Linen' })
    const visit = await service.signedIn()
    const { page, complaints } = visit
    await service.open(page, `${only(item.id)}&columns=federatedId,name,fabric`)
    await cell(visit, 0, 0).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Shirt')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Hemp')
    await page.keyboard.press('Enter')
    await page.getByText('2 cells in 1 entity').waitFor()
    expect((await get(item.id)).name).toBe('KEYS-1')
    await page.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Saved 2 cells').waitFor()
    expect(await get(item.id)).toMatchObject({ name: 'Shirt', fabric: 'Hemp', version: 2 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back.').waitFor()
    expect(await get(item.id)).toMatchObject({ name: 'KEYS-1', fabric: 'Linen' })
    expect(complaints).toEqual([])
    await visit.context.close()
  })

  it('N46 takes a pasted block; what the service refuses stands in its cell and nothing is saved', async () => {
    const [one, two] = [await made('PASTE-1'), await made('PASTE-2')]
    const visit = await service.signedIn()
    const { page } = visit
    const criteria = encodeURIComponent(JSON.stringify({ id: [one.id, two.id] }))
    await service.open(page, `/console/entities/items?criteria=${criteria}&columns=federatedId,name,wholesalePrice`)
    await page.evaluate("navigator.clipboard.writeText('First\\t12.5\\nSecond\\tdear')")
    await cell(visit, 0, 1).focus()
    await page.keyboard.press('Control+v')
    await page.getByText('This is no number.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await cell(visit, 1, 2).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('14')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved 4 cells').waitFor()
    expect(await get(two.id)).toMatchObject({ name: 'Second', wholesalePrice: 14 })
    // A key that another entity has is refused by the service.
    await cell(visit, 1, 0).dblclick({ position: { x: 2, y: 2 } })
    await page.keyboard.press('Control+a')
    await page.keyboard.type('PASTE-1')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast.wrong').waitFor()
    expect((await get(two.id)).federatedId).toBe('PASTE-2')
    await visit.context.close()
  })

  it('N46 bulk edit tells how many change before it does; deleting asks, and can be undone', async () => {
    const [one, two] = [await made('BULK-1', { fabric: 'Wool' }), await made('BULK-2', { fabric: 'Silk' })]
    const { page, context, complaints } = await service.signedIn()
    const criteria = encodeURIComponent(JSON.stringify({ id: [one.id, two.id] }))
    await service.open(page, `/console/entities/items?criteria=${criteria}`)
    await page.getByLabel('Select all rows').check()
    await page.getByRole('button', { name: 'Edit 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 2 entities' })
    // Nothing is chosen yet: nothing can be cleared by accident (N46).
    await dialog.getByText('Choose a property.').waitFor()
    expect(await dialog.getByRole('button', { name: /^Change/ }).isDisabled()).toBe(true)
    await dialog.getByLabel('Property').selectOption('fabric')
    await dialog.getByLabel('New value').fill('Wool')
    await page.getByText('1 of 2 changes.').waitFor()
    await page.getByRole('button', { name: 'Change 1 entity' }).click()
    await page.getByText('Saved 1 cell').waitFor()
    expect((await get(two.id)).fabric).toBe('Wool')
    await page.getByRole('button', { name: 'Delete 2' }).click()
    await page.getByRole('button', { name: 'Delete 2 entities' }).click()
    await page.getByText('Deleted 2 entities.').waitFor()
    await page.getByText('Nothing fits these filters').waitFor()
    await page.locator('.toast', { hasText: 'Deleted' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Brought back 2 entities.').waitFor()
    expect((await get(one.id)).fabric).toBe('Wool')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 filters and order stand in the address, and are there again on going back', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/entities/items')
    await page.getByRole('button', { name: '+ Filter' }).click()
    await page.getByLabel('Property').selectOption('season')
    await page.getByLabel('Value').selectOption('FW27')
    await page.getByRole('button', { name: 'Add the filter' }).click()
    await page.getByText('Season is Fall 2027').waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await settled(page)
    const { href } = new URL(page.url())
    await page.locator('[data-cell="0-0"] a').click()
    await page.getByRole('tab', { name: 'History' }).waitFor()
    await page.goBack()
    await page.getByText('Season is Fall 2027').waitFor()
    expect(page.url()).toBe(href)
    // Whoever searches stays where they type while the rows come, and keeps what they have typed.
    let letRowsCome = () => {}
    const rowsMayCome = new Promise<void>(resolve => {
      letRowsCome = resolve
    })
    await page.route('**/api/items?**', async route => {
      await rowsMayCome
      await route.continue()
    })
    await page.reload()
    const search = page.getByLabel('Search in items')
    await search.fill('jacket')
    letRowsCome()
    await page.locator('[data-cell="0-0"]').waitFor()
    await settled(page)
    expect(await search.inputValue()).toBe('jacket')
    await search.press('Enter')
    await expect.poll(() => page.url()).toContain('jacket')
    await settled(page)
    expect(await page.locator('input.quick:focus').count()).toBe(1)
    await context.close()
  })

  it('N47 a failed question is an error with its request id, never an empty list', async () => {
    const { page, context } = await service.signedIn()
    await page.route('**/api/colors?**', route =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 500, code: 'internal', detail: 'Something broke.', requestId: 'req-1' }),
      }),
    )
    await page.goto(`${service.origin}/console/entities/colors`)
    await page.getByText('The service failed').waitFor()
    await page.getByText('req-1').waitFor()
    expect(await page.getByText('No colors yet').count()).toBe(0)
    await page.unroute('**/api/colors?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('#1f2a44').first().waitFor()
    await context.close()
  })

  it('N59 after a reload asks for what this tab has seen, and forgets it on leaving', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/entities/items')
    const kept = () => page.evaluate<string | null>(`sessionStorage.getItem('selvedge.bookmark')`)
    const before = await kept()
    expect(before).toMatch(/^[0-9a-f-]{59}$/)
    const asked = page.waitForRequest(request => new URL(request.url()).pathname === '/api/items')
    await page.reload()
    const sent = (await (await asked).allHeaders())['x-d1-bookmark'] ?? ''
    expect(sent >= String(before)).toBe(true)
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await kept()).toBeNull()
    await context.close()
  })
})

firstPage(service)
