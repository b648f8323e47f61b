// Files that are no CSV, as a person chooses them: a workbook is converted in the browser, anything else is refused in words.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { numberCell as number, inlineCell as text, workbook } from '../clients/xlsx/workbook.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

const choose = (page: Page, name: string, bytes: Uint8Array) =>
  page.setInputFiles('input[aria-label="CSV file or Excel workbook"]', {
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(bytes),
  })

const rowOf = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join('')}</row>`
const HEADER = rowOf(1, text('A1', 'itemFamilyFederatedId'), text('B1', 'name'), text('C1', 'launch'))
const rows = (count: number, key: string) =>
  Array.from({ length: count }, (_, at) =>
    rowOf(at + 2, text(`A${at + 2}`, `${key}-${at + 1}`), number(`C${at + 2}`, '46388', 1)),
  )
const formats = ['yyyy-mm-dd']

describe('a workbook', () => {
  it('N46 becomes the CSV file of one of its sheets, and that is loaded', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    const sheets = { Styles: HEADER + rows(2, 'BOOK').join(''), 'Sample styles': HEADER + rows(3, 'SAMPLE').join('') }
    await choose(page, 'season.xlsx', workbook({ sheets: { ...sheets, Lists: HEADER }, hidden: ['Lists'], formats }))
    await page.getByText('season - Styles.csv').first().waitFor()
    const preview = page.getByRole('region', { name: 'First rows of the file' })
    await preview.getByRole('cell', { name: '2027-01-01' }).first().waitFor()
    const sheet = page.getByLabel('Sheet of season.xlsx')
    expect(await sheet.locator('option').allInnerTexts()).toEqual(['Styles', 'Sample styles'])
    await sheet.selectOption('Sample styles')
    await preview.getByRole('cell', { name: 'SAMPLE-3' }).waitFor()
    expect(await sheet.inputValue()).toBe('Sample styles')
    await page.getByRole('button', { name: 'How to do the same by API' }).click()
    await page
      .getByText("load upload-and-load season.xlsx configuration.yaml --sheet 'Sample styles'")
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Check without writing' }).click()
    await page.getByRole('button', { name: 'Load 3 changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Load of season - Sample styles.csv' }).waitFor()
    await page.locator('.state.done').waitFor()
    const { results } = await service.client.entities.list({
      entityName: 'item',
      queryParams: { criteria: { federatedId: 'SAMPLE-3' } },
    })
    expect(results).toMatchObject([{ launchDate: '2027-01-01' }])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 of many rows tells how far it is, and another file takes its place', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    const large = workbook({ sheets: { Styles: HEADER + rows(40_000, 'LARGE').join('') }, formats })
    await choose(page, 'large.xlsx', large)
    await page.getByText(/rows of the sheet read/).waitFor()
    await choose(page, 'small.csv', Buffer.from('itemFamilyFederatedId\nSMALL-1\n'))
    const check = page.getByRole('button', { name: 'Check without writing' })
    await check.waitFor()
    await choose(page, 'large.xlsx', large)
    await page.getByText(/rows of the sheet read/).waitFor()
    // The file before is not what would be loaded.
    expect(await check.count()).toBe(0)
    await page.getByText('large - Styles.csv').first().waitFor()
    await check.waitFor()
    expect(await page.getByText(/rows of the sheet read/).count()).toBe(0)
    // Of one sheet there is nothing to choose.
    expect(await page.getByText('--sheet').count()).toBe(0)
    await context.close()
  })

  it('N46 that cannot be loaded is told why; another sheet of it may do', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    const broken = rowOf(2, '<c r="A2" t="e"><v>#REF!</v></c>')
    const bytes = workbook({
      sheets: { Broken: HEADER + broken, Styles: HEADER + rows(1, 'FINE').join('') },
      formats,
    })
    await choose(page, 'season.xlsx', bytes)
    const fault = page.getByRole('alert')
    await fault.getByText('Cell A2 of the sheet Broken holds the error #REF!.').waitFor()
    expect(await page.getByText('Check without writing').count()).toBe(0)
    await page.getByLabel('Sheet of season.xlsx').selectOption('Styles')
    await page.getByRole('cell', { name: 'FINE-1' }).first().waitFor()
    expect(await fault.count()).toBe(0)
    await choose(page, 'cut.xlsx', bytes.subarray(0, 400))
    await fault.getByText('The workbook is damaged or incomplete').waitFor()
    await choose(page, 'old.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1))
    await fault.getByText('Line 1: This is a workbook of an old Excel').waitFor()
    await choose(page, 'styles.pdf', Buffer.from('%PDF-1.7\n'))
    await fault.getByText('Line 1: This is a PDF, not a CSV file.').waitFor()
    await context.close()
  })
})
