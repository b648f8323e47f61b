// The operator's wing as whoever owns a deployment goes through it: by mouse, and again by keyboard alone.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/clients/typescript/index.ts'
import { press, tabTo } from './console.ts'
import { operatorBackups } from './operator-backups.ts'
import { operatorEndpoints } from './operator-endpoints.ts'
import { operatorPlaces } from './operator-places.ts'
import { sharedConsole } from './shared-console.ts'

const PASSWORD = 'correct horse battery'

const service = sharedConsole()

const orgPage = (slug: string, tab = '') => `/console/operator/organizations/${slug}${tab && `?tab=${tab}`}`

async function madeOrg(slug: string): Promise<void> {
  await service.operator.createOrg({ slug, name: slug, admin: { email: `admin@${slug}.example`, password: PASSWORD } })
}

const problem = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code, detail, requestId: 'req-1' }),
})

/** Answers of the service in place of which these come, while the page is open. */
const stub = (page: Page, path: string, body: unknown) =>
  page.route(`**/api/operator/${path}`, route => route.fulfill({ json: body }))

describe('getting in', () => {
  it('N46 takes the operator key alone, keeps it for the tab, and forgets it', async () => {
    const { page, context } = await service.visit()
    await page.goto(`${service.origin}/console/operator`)
    await page.getByLabel('Operator key').fill('a key that is not the one')
    await page.keyboard.press('Enter')
    await page.locator('.field .fault').waitFor()
    await page.getByLabel('Operator key').fill(service.service.operator.operatorKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await page.getByText('All is well').waitFor()
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('operator')
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.getByLabel('Operator key').waitFor()
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
    await context.close()
  })
})

describe('the status', () => {
  it('N46 says what is wrong in words, and sends dead letters again, one and all', async () => {
    const { page, context, complaints } = await service.asOperator()
    const status = await service.operator.status()
    await stub(page, 'status', { ...status, status: 'degraded', missingBindings: ['SEARCH'] })
    let letters = ['one', 'two', 'three'].map(id => ({
      id,
      organization: 'demo',
      kind: 'load',
      subjectId: id,
      createdOn: new Date().toISOString(),
    }))
    await page.route('**/api/operator/dead-letters?**', route =>
      route.fulfill({ json: { results: letters, nextPageKey: null } }),
    )
    await page.route('**/api/operator/dead-letters/*/replay', route => {
      const id = new URL(route.request().url()).pathname.split('/').at(-2)
      letters = letters.filter(letter => letter.id !== id)
      return route.fulfill({ status: 204 })
    })
    await service.open(page, '/console/operator')
    await page.getByText('The binding SEARCH is missing').waitFor()
    await page
      .getByRole('row', { name: /^load demo two/ })
      .getByRole('button', { name: 'Send again' })
      .click()
    await page.getByText('It is sent again.').waitFor()
    expect(letters.map(({ id }) => id)).toEqual(['one', 'three'])
    await page.getByRole('button', { name: 'Send all again' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('Sent 2 dead letters again.').waitFor()
    await page.getByText('None: the queues have given up nothing.').waitFor()
    expect(letters).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N47 what cannot be read is an error with its request id, never "none"; and each page tells how it is done elsewhere', async () => {
    const { page, context } = await service.asOperator()
    await page.route('**/api/operator/dead-letters?**', route => route.fulfill(problem(500, 'internal', 'It broke.')))
    await service.open(page, '/console/operator')
    await page.getByText('The service failed').waitFor()
    await page.getByText('req-1').waitFor()
    expect(await page.getByText('None: the queues').count()).toBe(0)
    await page.getByRole('button', { name: 'How to do the same by API' }).click()
    await page.getByText('X-Operator-Key: $OPERATOR_KEY').waitFor()
    await page.getByText('selvedge operator status').waitFor()
    await context.close()
  })
})

describe('an organization', () => {
  it('N46 is made, changed, limited, suspended, taken out and deleted, by mouse', async () => {
    const { page, context, complaints } = await service.asOperator()
    await service.open(page, '/console/operator/organizations')
    await page.getByRole('button', { name: 'Make an organization' }).click()
    await page.getByLabel('Slug').fill('mouse')
    await page.getByLabel('Name').fill('Mouse')
    await page.getByLabel('Email of its admin').fill('ann@mouse.example')
    await page.getByLabel('First password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('heading', { level: 1, name: 'mouse' }).waitFor()
    await page.getByLabel('Rate tier').selectOption('high')
    await page.getByText('The tier is high.').waitFor()
    const kept = page.getByLabel('History is kept for days')
    await kept.fill('30')
    await page.locator('form', { has: kept }).getByRole('button', { name: 'Set' }).click()
    await page.getByText('Its history is kept for 30 days.').waitFor()
    expect(await service.operator.getOrg({ slug: 'mouse' })).toMatchObject({ tier: 'high', historyRetentionDays: 30 })

    await page.getByRole('link', { name: 'Quotas' }).click()
    await page.getByLabel('Limit: Entities').fill('7')
    await page.getByRole('button', { name: 'Set 1 quota' }).click()
    await page.getByText('Set 1 quota.').waitFor()
    expect((await service.operator.quotas({ slug: 'mouse' })).entities).toMatchObject({ limit: 7, isUsual: false })
    await page.getByRole('button', { name: 'As usual for Entities' }).click()
    await page.getByRole('button', { name: 'Set 1 quota' }).click()
    await page.getByRole('row', { name: /Entities.*the usual one$/ }).waitFor()
    expect((await service.operator.quotas({ slug: 'mouse' })).entities?.isUsual).toBe(true)

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Suspend it' }).click()
    await page.getByText('Mouse is suspended.').waitFor()
    await page.getByRole('button', { name: 'Delete the organization' }).click()
    const act = page.getByRole('button', { name: 'Delete mouse' })
    await page.getByLabel('Type mouse to go on').fill('house')
    expect(await act.isDisabled()).toBe(true)
    await page.getByLabel('Type mouse to go on').fill('mouse')
    await act.click()
    await page.getByText('Take an export of the organization').waitFor()
    await page.keyboard.press('Escape')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download an export' }).click()
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines.map(line => JSON.parse(line).table)).toContain('end')
    await page.getByRole('button', { name: 'Delete the organization' }).click()
    await page.getByLabel('Type mouse to go on').fill('mouse')
    await act.click()
    await page.getByText('mouse is deleted.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('row', { name: /organization deleted.*slug: mouse/ }).waitFor()
    // The refusals above are told by the browser, too.
    expect(complaints.filter(each => !/409|\/move$/.test(each))).toEqual([])
    await context.close()
  })

  it('N46 is made, looked at, suspended and let in again by keyboard alone', async () => {
    const { page, context, complaints } = await service.asOperator()
    await service.open(page, '/console/operator')
    await press(page, 'Organizations')
    await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    await press(page, 'Make an organization')
    await page.getByRole('dialog').waitFor()
    for (const [label, text] of [
      ['Slug', 'keys-only'],
      ['Name', 'Keys only'],
      ['Email of its admin', 'ann@keys.example'],
      ['First password of its admin', PASSWORD],
    ] as const) {
      if (label !== 'Slug') await tabTo(page, label)
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'keys-only' }).waitFor()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    await press(page, 'Suspend')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Keys only is suspended.').waitFor()
    expect((await service.operator.getOrg({ slug: 'keys-only' })).suspendedOn).not.toBeNull()
    await page.getByRole('button', { name: 'Let it in again' }).waitFor()
    await press(page, 'Let it in again')
    await page.getByText('Keys only is open again.').waitFor()
    await press(page, 'Quotas')
    await page.getByLabel('Limit: Types').waitFor()
    await tabTo(page, 'Limit: Types')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await page.getByText('Set 1 quota.').waitFor()
    expect((await service.operator.quotas({ slug: 'keys-only' })).types?.limit).toBe(12)
    // That it never moved is told by a status.
    expect(complaints.filter(each => !/\/move$/.test(each))).toEqual([])
    await context.close()
  })

  it('N46 gets a key with limits that hold, and a token; both are shown once and revoked', async () => {
    await madeOrg('limited')
    const { page, context, complaints } = await service.asOperator()
    await service.open(page, orgPage('limited', 'keys'))
    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Colors alone')
    await dialog.getByLabel('It may').selectOption('write')
    await dialog.getByText('Only for entity types').click()
    await dialog.getByLabel('color', { exact: true }).check()
    await dialog.getByLabel('Only from these addresses').fill('127.0.0.0/8, ::1')
    await dialog.getByRole('button', { name: 'Make the key' }).click()
    const apiKey = await page.locator('.issued code').innerText()
    await page.getByText('only color').waitFor()
    const client = connect({ ...service.service.operator, orgSlug: 'limited', apiKey })
    await client.entities.create({ entityName: 'color', object: { name: 'Navy' } })
    await expect(client.entities.list({ entityName: 'item' })).rejects.toMatchObject({ status: 403 })
    await page.getByRole('button', { name: 'I have it' }).click()
    expect(await page.content()).not.toContain(apiKey)
    await page.getByRole('button', { name: 'Revoke Colors alone' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('Revoked Colors alone.').waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Make a token' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.type('Callback')
    await page.keyboard.press('Enter')
    await page.getByText('The token “Callback”, this once').waitFor()
    expect((await service.operator.listTokens({ slug: 'limited' })).results).toMatchObject([{ name: 'Callback' }])
    expect(complaints).toEqual([])
    await context.close()
  })
})

operatorEndpoints(service)
operatorBackups(service)
operatorPlaces(service)
