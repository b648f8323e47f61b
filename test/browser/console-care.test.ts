// What goes wrong between two hands: cells typed while others are saved, a second click, a type that two people edit, a page
// that is left too early, a key that was rotated. Nothing that was typed is lost, and nothing happens twice.
import { describe, expect, it } from 'vitest'
import { settled } from './console.ts'
import { hold, problem } from './held.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

describe('cells that are not saved', () => {
  it('N46 stay while others are saved, while somebody sorts, and when the page is left', async () => {
    const object = (name: string) => ({ name, federatedId: name, typePath: 'item:apparel', roles: ['family'] })
    const one = await service.client.entities.create({ entityName: 'item', object: object('CARE-1') })
    const two = await service.client.entities.create({ entityName: 'item', object: object('CARE-2') })
    const { page, context } = await service.signedIn()
    const criteria = encodeURIComponent(JSON.stringify({ id: [one.id, two.id] }))
    await service.open(page, `/console/entities/items?order=federatedId.asc&criteria=${criteria}`)
    const type = async (row: number, text: string) => {
      await page.locator(`[data-cell="${row}-1"]`).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    const saving = await hold(page, 'PUT', /\/items\/batch/)
    await type(0, 'First')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saving.begun
    await type(1, 'Second')
    await page.getByText('2 cells in 2 entities').waitFor()
    saving.release()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    await page.getByText('1 cell in 1 entity', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await settled(page)
    await page.getByText('1 cell in 1 entity', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Files' }).first().click()
    await page.getByText('1 cell in items not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Go back' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 cell in 1 entity', { exact: true }).waitFor({ state: 'detached' })
    const names = await service.client.entities.list({
      entityName: 'item',
      queryParams: { criteria: { id: [one.id, two.id] }, order: { orderField: 'federatedId', order: 'asc' } },
    })
    expect(names.results.map(({ name }) => name)).toEqual(['First', 'Second'])
    await context.close()
  })
})

describe('a type', () => {
  it('N46 that two people edit keeps the changes of both, and options with any sign in them', async () => {
    const options = ['a,b', { value: 'c=d', label: 'e, f' }]
    const properties = [
      { slug: 'fit', label: 'Fit', propertyType: 'choice' as const, options },
      { slug: 'toString', label: 'Text', propertyType: 'string' as const },
    ]
    const typePath = 'item:care'
    const { id } = await service.client.entities.create({
      entityName: 'type',
      object: { typePath, label: 'Care', properties },
    })
    const entity = await service.client.entities.create({
      entityName: 'item',
      object: { name: 'Plain', federatedId: 'CARE-9', typePath, roles: ['family'] },
    })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, `/console/types/${encodeURIComponent(typePath)}`)
    await page.getByLabel('Options of fit').focus()
    await page.getByLabel('Label of fit').fill('How it fits')
    const theirs = [...properties, { slug: 'theirs', label: 'Theirs', propertyType: 'string' as const }]
    await service.client.entities.update({ entityName: 'type', id, body: { properties: theirs } })
    await page.getByRole('button', { name: 'Save the type' }).click()
    await page.getByText('Somebody else was faster').waitFor()
    await page.getByRole('button', { name: 'Take their changes in, keep mine' }).click()
    await page.getByLabel('Label of theirs').waitFor()
    expect(await page.getByLabel('Label of fit').inputValue()).toBe('How it fits')
    await page.getByRole('button', { name: 'Save the type' }).click()
    await page.getByText('Saved the type.').waitFor()
    const saved = await service.client.types.get({ typePath })
    const ownSlugs = (saved.properties ?? []).filter(each => !each.inheritedFrom)
    expect(ownSlugs.map(({ slug, label }) => [slug, label])).toEqual([
      ['fit', 'How it fits'],
      ['toString', 'Text'],
      ['theirs', 'Theirs'],
    ])
    expect(ownSlugs[0]?.options).toMatchObject([expect.anything(), { value: 'c=d', label: 'e, f' }])

    // A property that is named like what every object has is empty, not a function.
    await service.open(page, `/console/entities/items/${entity.id}`)
    await page.getByText('Text', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('native code')
    // The browser notes the refusal.
    expect(complaints.filter(each => !each.includes('412'))).toEqual([])
    await context.close()
  })
})

describe('once is once', () => {
  it('N46 a second click makes no second key', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/settings/keys')
    const making = await hold(page, 'POST', /\/api-keys/)
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Once')
    await page.getByRole('button', { name: 'Make the key' }).dblclick()
    making.release()
    await page.getByText('The key “Once”, this once').waitFor()
    await settled(page)
    expect(making.count()).toBe(1)
    await context.close()
  })

  it('N46 a configuration that is none is refused in words, as often as it is chosen', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    const buffer = Buffer.from('loadType: [ITEM]\npropertiesToRemove: Style\n')
    const give = () =>
      page.getByLabel('Configuration file').setInputFiles({ name: 'wrong.yaml', mimeType: 'text/yaml', buffer })
    await give()
    const told = page.locator('.toast', { hasText: 'propertiesToRemove must be a list of texts' })
    await told.first().waitFor()
    await give()
    await told.nth(1).waitFor()
    await context.close()
  })
})

describe('leaving', () => {
  it('N46 a form that is half made asks first, at a link and at the way back', async () => {
    const object = { name: 'HALF-1', typePath: 'item:apparel', roles: ['family'] }
    const item = await service.client.entities.create({ entityName: 'item', object })
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/entities/items/${item.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Half')
    const answers: string[] = []
    let doesLeave = false
    page.on('dialog', dialog => {
      answers.push(dialog.type())
      void (doesLeave ? dialog.accept() : dialog.dismiss())
    })
    const files = page.getByRole('link', { name: 'Files' }).first()
    await files.click()
    await expect.poll(() => answers).toEqual(['confirm'])
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half')
    // Another tab of the same page is no leaving.
    await page.getByRole('tab', { name: 'Used in' }).click()
    doesLeave = true
    await files.click()
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Half')
    doesLeave = false
    await page.evaluate('history.forward()')
    await expect.poll(() => answers).toEqual(['confirm', 'confirm', 'confirm'])
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half')
    expect(new URL(page.url()).pathname).toBe(`/console/entities/items/${item.id}`)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await files.click()
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    expect(answers).toHaveLength(3)
    await context.close()
  })

  it('N46 what was typed to find a file brings nobody back, and follows the address', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/files?find=styles')
    const field = page.getByLabel('Find by name')
    expect(await field.inputValue()).toBe('styles')
    await field.fill('other')
    await page.getByRole('link', { name: 'Types' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Types' }).waitFor()
    // Longer than a pause of typing: what must not happen cannot be waited for.
    await page.waitForTimeout(400)
    expect(new URL(page.url()).pathname).toBe('/console/types')
    await page.goBack()
    await page.getByRole('link', { name: 'Files' }).first().click()
    await expect.poll(() => field.inputValue()).toBe('')
    await context.close()
  })

  it('N47 a page that cannot be fetched says so, and another one is shown', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/')
    await page.route('**/console-files/**', route => route.abort())
    await page.getByRole('link', { name: 'Loads' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'This page failed' }).waitFor()
    await page.unroute('**/console-files/**')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Loads' }).waitFor()
    await context.close()
  })
})

describe('the operator', () => {
  it('N46 comes to the entrance where the key of the tab is not taken any more', async () => {
    const { page, context } = await service.visit()
    await context.addInitScript(
      `if (location.origin !== 'null') sessionStorage.setItem('selvedge.operator', 'the key before it was rotated')`,
    )
    await page.goto(`${service.origin}/console/operator/organizations`)
    await page.getByText('is not taken any more').waitFor()
    await page.getByLabel('Operator key').waitFor()
    await context.close()
  })

  it('N46 sees which organization does not answer, beside the deliveries of the others, and the tier that counts', async () => {
    const { page, context } = await service.asOperator()
    await page.route('**/api/operator/orgs/demo/endpoints', route =>
      route.fulfill(problem(503, 'The database of demo is away.')),
    )
    await service.open(page, '/console/operator/deliveries')
    await page.getByText('1 organization did not answer').waitFor()
    await page.getByText('The database of demo is away.').waitFor()
    await page.getByText('Nothing failed').waitFor()

    await page.route('**/api/operator/orgs/demo/tier', route => route.fulfill(problem(409, 'Not now.')))
    await service.open(page, '/console/operator/organizations/demo')
    const tier = page.getByLabel('Rate tier')
    const before = await tier.inputValue()
    await tier.selectOption(before === 'high' ? 'standard' : 'high')
    await page.getByText('The tier was not changed').waitFor()
    await expect.poll(() => tier.inputValue()).toBe(before)
    await context.close()
  })
})
