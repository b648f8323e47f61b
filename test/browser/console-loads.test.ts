// What a load says and shows while somebody puts it together, checks it and takes it back: by keyboard, on a phone, and where it takes
// its time.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { tabTo } from './console.ts'
import { hold } from './held.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()
const ROWS = ['LS-400,Linen Shirt,Ecru,Sprng 2027,old', 'RS-500,Rain Shell,Navy,FW27,new']

async function choose(page: Page, header: string, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from(`${[header, ...rows].join('\n')}\n`)
  const file = { name: 'styles.csv', mimeType: 'text/csv', buffer }
  await page.setInputFiles('input[aria-label="CSV file or Excel workbook"]', file)
  await page.getByText('comma between cells').waitFor()
}

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')

const loaded = (content: string, fileName: string) =>
  service.client.loads.run({ config: { loadType: ['ITEM'] }, file: { content, fileName } })

describe('the columns of a file', () => {
  it('N46 go to properties of the type that is chosen, and of those above it', async () => {
    const properties = [{ slug: 'price', label: 'Price', propertyType: 'number' as const }]
    await service.client.entities.create({
      entityName: 'type',
      object: { typePath: 'item:plain', label: 'Plain', properties },
    })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    await choose(page, 'itemFamilyFederatedId,Price,season,list price', ['A-1,12,SS27,x'])
    const cell = page
      .getByRole('row', { name: /^Price/ })
      .locator('td')
      .last()
    const choice = page.getByLabel('Where Price goes')
    // New items would be of the root alone, stored ones may be of any type.
    expect(await cell.locator('span').allInnerTexts()).toEqual(['Price'])
    await page.getByLabel('Their type').selectOption('item:apparel')
    await expect.poll(() => cell.locator('span').count()).toBe(0)
    expect(await choice.locator('option[value=price]').count()).toBe(0)
    expect(await choice.locator('option[value=fabric]').count()).toBe(1)
    expect(await choice.locator('option[value=season]').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Price? Confirm' }).count()).toBe(0)
    await page.getByLabel('Their type').selectOption('item:plain')
    await expect.poll(() => cell.locator('span').allInnerTexts()).toEqual(['Price'])
    expect(await page.getByLabel('Where list price goes').locator('option[value=fabric]').count()).toBe(0)
    // A column that names the types says which there are.
    await choose(page, 'itemFamilyFederatedId,Price,typePath', ['A-1,12,item:apparel', 'A-2,13,item:bag'])
    await page.getByLabel('Their type').waitFor({ state: 'detached' })
    await expect.poll(() => cell.locator('span').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 keep the focus where what had it goes away, and so does a check', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    await choose(page, 'Style,Style name,Color,Season,Notes', ROWS)
    await page.getByLabel('Their type').selectOption('item:apparel')
    const press = async (name: string, next: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toBe(next)
    }
    await press('itemFamilyFederatedId? Confirm', 'Where Style goes as well')
    await press('Confirm 2 suggestions', 'Where Style goes as well')
    await press('Make it? Confirm', 'Where Notes goes')
    await press('Spring 2027? Confirm', 'What Sprng 2027 means')
    const notes = page.getByLabel('Where Notes goes')
    await notes.focus()
    await notes.selectOption('Leave it out')
    await expect.poll(() => focused(page)).toBe('Notes not to left out')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Where Notes goes')

    const started = await hold(page, 'POST', /loader-processes$/)
    const check = page.getByRole('button', { name: 'Check without writing' })
    await check.focus()
    await page.keyboard.press('Enter')
    await started.begun
    expect(await focused(page)).toBe('Check without writing')
    // Busy: a second time comes to nothing.
    await page.keyboard.press('Enter')
    const running = { phase: 'writing', rowsTotal: 2, rowsDone: 1, percent: 83, rowsPerSecond: 4, secondsLeft: 9 }
    const looks = await hold(page, 'GET', /loader-processes\/[^/]+$/, async route => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, dryRun: true, status: 'running', progress: running } })
    })
    looks.release()
    started.release()
    await page.getByText('83 % · counting what would change · 1 of 2 rows · 4 rows a second · 9 s left').waitFor()
    await page.unrouteAll()
    await page.getByText('4 new, 0 changed').waitFor()
    expect(started.count()).toBe(1)
    expect(await focused(page)).toBe('Check again')
    await context.close()
  })

  it('N46 and the first rows say how many more of them, and of their faults, there are', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    const short = Array.from({ length: 12 }, (_, at) => `A-${at},maybe,x`)
    await choose(page, 'itemFamilyFederatedId,isPremium', short)
    await page.getByText('12 rows, the first 5 of them shown here').waitFor()
    await page.getByText('… and 7 more faults.').waitFor()
    await page.getByLabel('Their type').selectOption('item:apparel')
    const unknown = Array.from({ length: 12 }, (_, at) => `Extra ${at}`)
    await choose(page, `itemFamilyFederatedId,${unknown}`, [`A-1,${unknown}`])
    await page.getByText('… and 4 more issues.').waitFor()
    await context.close()
  })
})

describe('a load', () => {
  it('N46 that found errors in the rows says that nothing was written, and what to do', async () => {
    const bad = await loaded('itemFamilyFederatedId,launchDate\nBAD-1,soon\n', 'bad.csv').catch(error => error.process)
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/loads/${bad.id}`)
    await page.getByText('It stopped while checking the rows. Nothing was written. Mend the rows').waitFor()
    await page.getByRole('link', { name: 'The file with its issues' }).waitFor()
    expect(await page.getByText('committed').count()).toBe(0)
    const json = { ...bad, status: 'running', errorCount: 0, warningCount: 0, issues: [] }
    await page.route('**/api/loader-processes/*', route => route.fulfill({ json }))
    await page.reload()
    await page.getByText('No issues so far.').waitFor()
    await context.close()
  })

  it('N52 shows at once that taking it back is worked out, and this can be given up', async () => {
    const { id } = await loaded('itemFamilyFederatedId,name\nBACK-1,One\nBACK-2,Two\n', 'back.csv')
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, `/console/loads/${id}`)
    const dialog = page.getByRole('dialog')
    const act = 'Take this load back'
    const open = async () => {
      await page.getByRole('button', { name: act }).focus()
      await page.keyboard.press('Enter')
    }
    const progress = { phase: 'reading', changesDone: 1000, percent: 40 }
    const looks = await hold(page, 'GET', /revert-processes\/[^/]+$/, async route => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, status: 'running', progress } })
    })
    await open()
    await dialog.getByRole('status').getByText('Working out what that would do').waitFor()
    await looks.begun
    looks.release()
    await dialog.getByText('1,000 changes looked at').waitFor()
    expect(await dialog.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40')
    const cancelled = page.waitForRequest(request => /revert-processes\/[^/]+\/cancel$/.test(request.url()))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await cancelled
    expect(await focused(page)).toBe(act)
    await page.unrouteAll()

    await open()
    await dialog.getByText('2 entities will be deleted').waitFor()
    expect(await focused(page)).toBe('Cancel')
    // The one that was given up may have been over already.
    expect(complaints.filter(each => !/409.*cancel/.test(each))).toEqual([])
    await context.close()
  })
})

describe('on a phone', () => {
  it('N44 nothing that has the focus stands behind the bar, and what is typed has the whole width', async () => {
    const { page, context } = await service.signedIn()
    await page.setViewportSize({ width: 390, height: 844 })
    await service.open(page, '/console/loads/new')
    await choose(page, 'Style,Style name,Color,Season,Notes', ROWS)
    await page.getByRole('button', { name: 'Make a column' }).click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const widthOf = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.width ?? 0
    expect(await widthOf('Default of column 1')).toBeGreaterThan(280)
    expect(await widthOf('Condition 1 of column 1')).toBeGreaterThan(280)
    const middle = async (name: string) => {
      const box = await page.getByLabel(name, { exact: true }).boundingBox()
      return box ? box.y + box.height / 2 : 0
    }
    const valueAt = await middle('Value 1 of column 1')
    expect(Math.abs((await middle('Remove condition 1 of column 1')) - valueAt)).toBeLessThan(2)
    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('button', { name: 'Choose another file' }).focus()
    const behind: string[] = []
    const bar = (await page.locator('nav.bottom').boundingBox())?.y ?? 0
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate<[name: string, bottom: number, isInBar: boolean]>(
        `(() => {
          const at = document.activeElement
          return [at.outerHTML.slice(0, 80), at.getBoundingClientRect().bottom, at.closest('nav, .skip, body:focus') !== null]
        })()`,
      )
      if (at[2]) break
      if (at[1] > bar + 1) behind.push(at[0])
    }
    expect(behind).toEqual([])
    await tabTo(page, 'Home')
    await context.close()
  })
})
