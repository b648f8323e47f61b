// Home, keys, sessions and the trail, and types, each as a person would: by mouse, and again by keyboard alone.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/clients/typescript/index.ts'
import { press, tabTo } from './console.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

describe('home', () => {
  it('N46 tells of every entity type its root type path and how many there are', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/')
    await page.locator('.tiles .tile', { hasText: 'Colors' }).waitFor()
    await page.getByText('Other entity types').click()
    const { entityTypes } = await service.client.types.list()
    for (const { rootTypePath } of entityTypes) {
      const tile = page.locator('.tile', { has: page.getByText(rootTypePath, { exact: true }) })
      await expect.poll(() => tile.locator('.big').innerText()).toMatch(/^\d/)
    }
    expect(entityTypes.length).toBeGreaterThan(15)
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('keys', () => {
  it('N46 a key has its limits in the list and in fact; rotated, the old one goes on for the overlap', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/settings/keys')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Reader of items')
    await dialog.getByLabel('Ends after days').fill('30')
    await dialog.getByText('Only for entity types').click()
    await dialog.getByLabel('item', { exact: true }).check()
    await dialog.getByLabel('Only from these addresses').fill('nowhere')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    await dialog.getByText('Expected an address').waitFor()
    await dialog.getByLabel('Only from these addresses').fill('127.0.0.0/8\n::1')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    const old = await page.locator('.issued code').innerText()
    const row = page.getByRole('row', { name: /Reader of items/ })
    await row.getByText('only item').waitFor()
    await row.getByText('127.0.0.0/8, ::1').waitFor()
    await row.getByText('ends').waitFor()

    await row.getByRole('button', { name: 'Rotate' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('The old one goes on working').selectOption('for an hour')
    await press(page, 'Make the new key')
    // The one before stays until somebody has it.
    await page.locator('.issued').nth(1).waitFor()
    const [next = '', before] = await page.locator('.issued code').allInnerTexts()
    expect(before).toBe(old)
    const { baseUrl, orgSlug } = service.service.key
    for (const apiKey of [old, next]) {
      const client = connect({ baseUrl, orgSlug, apiKey })
      expect((await client.entities.list({ entityName: 'item', queryParams: { limit: 1 } })).results).toHaveLength(1)
      await expect(client.entities.list({ entityName: 'color' })).rejects.toMatchObject({ status: 403 })
    }
    // The refused address, told by the browser, too.
    expect(complaints.filter(each => !/400/.test(each))).toEqual([])
    await context.close()
  })
})

describe('sessions and the trail', () => {
  it('N46 the tab that is open is seen on a phone, too', async () => {
    const { page, context } = await service.signedIn({ width: 360, colorScheme: 'light' })
    await service.open(page, '/console/settings/audit')
    const tab = page.locator('.tabs [aria-current="page"]')
    expect(await tab.innerText()).toBe('Audit')
    const box = await tab.boundingBox()
    expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
    await context.close()
  })

  it('N46 another session is ended; the trail is searched and kept as a file', async () => {
    const other = await service.signedIn()
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/settings/sessions')
    const rows = page.getByRole('row', { name: /password/ })
    const before = await rows.count()
    await page.getByRole('button', { name: 'End', exact: true }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('Ended the session.').waitFor()
    await expect.poll(() => rows.count()).toBe(before - 1)

    await service.open(page, '/console/settings/audit')
    await page.getByLabel('Find').fill('sign in')
    await page.getByText(/of the \d+ entries read so far/).waitFor()
    await page.getByLabel('By', { exact: true }).selectOption('operator')
    await page.getByText('None of the entries read so far fits.').waitFor()
    await page.getByLabel('By', { exact: true }).selectOption('')
    await page
      .getByRole('row', { name: /sign in/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row', { name: /key issued/ }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('find')).toBe('sign in')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines[0]).toBe('when,what,who,from,details')
    expect(lines.slice(1).every(line => /sign.in/.test(line))).toBe(true)
    expect(complaints).toEqual([])
    await context.close()
    await other.context.close()
  })
})

describe('types', () => {
  it('N46 are all known, however many pages they are', async () => {
    const { page, context } = await service.signedIn()
    let pages = 0
    await page.route('**/api/types?*', route => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '2')
      pages++
      return route.continue({ url: url.href })
    })
    const { results } = await service.client.types.list({ queryParams: { limit: 1000 } })
    await service.open(page, '/console/types')
    await page.locator(`.tree a[href$="${results.at(-1)?.typePath}"]`).waitFor()
    expect(pages).toBe(Math.ceil(results.length / 2))
    await context.close()
  })

  it('N46 a type in use is not deleted, and says where it is used; another is, and comes back', async () => {
    const { entities } = service.client
    await entities.create({ entityName: 'type', object: { typePath: 'item:hat', label: 'Hat', properties: [] } })
    const hat = await entities.create({ entityName: 'item', object: { name: 'Hat', typePath: 'item:hat' } })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/types/item:hat')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the type' }).click()
    await page.getByText('It is in use').waitFor()
    await page.getByRole('link', { name: 'Items of item:hat' }).click()
    await page.getByRole('heading', { level: 1, name: /Items/ }).waitFor()
    await page.getByRole('link', { name: 'Hat' }).first().waitFor()
    await entities.delete({ entityName: 'item', id: hat.id })

    await service.open(page, '/console/types/item:hat')
    await press(page, 'Delete')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Deleted item:hat.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Types' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hat' }).waitFor()
    expect((await service.client.types.get({ typePath: 'item:hat' })).label).toBe('Hat')
    expect(complaints.filter(each => !/409/.test(each))).toEqual([])
    await context.close()
  })

  it('N46 properties are added, indexed, archived and removed by keyboard; what would not fit is told before', async () => {
    const { entities } = service.client
    const properties = [{ slug: 'brim', label: 'Brim', propertyType: 'string' }]
    await entities.create({ entityName: 'type', object: { typePath: 'item:cap', label: 'Cap', properties } })
    await entities.create({ entityName: 'item', object: { name: 'Cap', typePath: 'item:cap', brim: 'wide' } })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/types/item:cap')
    await tabTo(page, 'Kind of brim')
    await page.keyboard.type('number')
    await press(page, 'Would entities still fit?')
    await page.getByText('1 would no longer fit').waitFor()
    await page.reload()
    await page.getByLabel('brim is indexed').waitFor()
    await tabTo(page, 'brim is indexed')
    await page.keyboard.press('Space')
    await tabTo(page, 'brim is archived')
    await page.keyboard.press('Space')
    await press(page, 'Add a property')
    await page.getByLabel('Slug of new property').fill('gone')
    await page.getByRole('button', { name: 'Remove gone' }).click()
    await press(page, 'Save the type')
    await page.getByText('Saved the type.').waitFor()
    const saved = (await service.client.types.get({ typePath: 'item:cap' })).properties
    expect(saved.filter(({ inheritedFrom }) => !inheritedFrom)).toMatchObject([
      { slug: 'brim', indexed: true, archived: true },
    ])
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('what only the service changes', () => {
  it('N46 offers no act that it has not; a file is deleted from its page, for good', async () => {
    const file = await service.client.files.upload({ content: 'a,b\n', fileName: 'for-good.csv' })
    const { page, context } = await service.signedIn()
    const acts = (name: string) => page.getByRole('button', { name, exact: true }).count()
    for (const [path, adds] of Object.entries({ 'loader-processes': 0, webhooks: 0, colors: 1 })) {
      await service.open(page, `/console/entities/${path}`)
      expect(await acts('Add'), path).toBe(adds)
    }
    await service.open(page, `/console/entities/files/${file.id}`)
    expect(await acts('Edit')).toBe(0)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Its content goes at once, and cannot be brought back.').waitFor()
    await page.getByRole('button', { name: 'Delete the file' }).click()
    await page.getByText('Deleted for-good.csv.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    await expect(service.client.entities.get({ entityName: 'file', id: file.id })).rejects.toMatchObject({
      status: 404,
    })
    await context.close()
  })
})
