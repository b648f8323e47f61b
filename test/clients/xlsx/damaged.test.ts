// A workbook that is not whole is refused: nothing of it may be lost, or be another value, without a word.
import { describe, expect, it } from 'vitest'
import { sheetCsv, sheetNames } from '../../../src/clients/xlsx/sheet-csv.ts'
import { csvOf, inlineCell as inline, numberCell as number, partsIn, workbook, zipped } from './workbook.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const styles = `<row r="1">${inline('A1', 'name')}</row><row r="2">${number('A2', '12.5', 0)}</row>`
const parts = () => partsIn({ sheets: { Styles: styles } })

async function csvIn(bytes: Uint8Array, sheet = 'Styles'): Promise<string> {
  let text = ''
  for await (const line of sheetCsv(bytes, sheet)) text += line
  return text
}

describe('a workbook that is not whole', () => {
  it('has another value than was written', async () => {
    const bytes = zipped(parts(), { isStored: true })
    expect(await csvIn(bytes)).toBe('name\n12.5\n')
    const at = Buffer.from(bytes).indexOf('<v>12.5')
    bytes[at + 3] = '9'.charCodeAt(0)
    await expect(csvIn(bytes)).rejects.toThrow(`damaged or incomplete (${SHEET} is not what it was)`)
  })

  it('ends in the middle of its rows', async () => {
    const cut = { ...parts(), [SHEET]: parts()[SHEET]?.replace(/<\/row><\/sheetData>.*/, '') ?? '' }
    await expect(csvIn(zipped(cut))).rejects.toThrow('damaged or incomplete (the sheet has no end)')
  })

  it('lacks a text that a cell names', async () => {
    const cell = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    expect(await csvOf({ sheets: { Styles: cell }, strings: ['', 'b'] })).toBe(',b\n')
    const lacking = csvOf({ sheets: { Styles: cell }, strings: ['a'] })
    await expect(lacking).rejects.toThrow('Cell B1 of the sheet Styles holds a text that is missing in the workbook')
  })

  it('lacks its sheet, or any', async () => {
    const { [SHEET]: _, ...rest } = parts()
    await expect(csvIn(zipped(rest))).rejects.toThrow('missing worksheet file for sheet "Styles"')
    await expect(csvIn(workbook({ sheets: { Styles: styles } }), 'Other')).rejects.toThrow('Other')
    const binary = { ...parts(), 'xl/workbook.xml': '\u0083\u0001' }
    await expect(sheetNames(zipped(binary))).rejects.toThrow('no Excel workbook of the kind .xlsx')
  })

  it('has a part that is larger than any that is read as a whole', async () => {
    const styles = ' '.repeat(64 * 1024 * 1024)
    await expect(sheetNames(zipped({ ...parts(), 'xl/styles.xml': styles }))).rejects.toThrow(
      'damaged or incomplete (xl/styles.xml is too large)',
    )
  })

  it('is not in UTF-8', async () => {
    const latin = Buffer.from(
      zipped({ ...parts(), [SHEET]: parts()[SHEET]?.replace('name', 'n\u00e4me') ?? '' }, { encoding: 'latin1' }),
    )
    await expect(csvIn(latin)).rejects.toThrow('The workbook is damaged or incomplete.')
  })
})

describe('the sheets of a workbook', () => {
  it('are those that hold cells, by the names of their relations alone', async () => {
    const bytes = workbook({
      sheets: { rId2: styles, Chart: '', rId1: `<row r="1"><c r="A1" t="e"><v>#REF!</v></c></row>` },
      charts: ['Chart'],
    })
    expect(await sheetNames(bytes)).toEqual(['rId2', 'rId1'])
    expect(await csvIn(bytes, 'rId2')).toBe('name\n12.5\n')
    await expect(csvIn(bytes, 'rId1')).rejects.toThrow('holds the error #REF!')
  })

  it('may have escapes in the names of their parts', async () => {
    const error = parts()[SHEET]?.replace(
      /<sheetData>.*<\/sheetData>/,
      '<sheetData><row r="1"><c r="A1" t="e"><v>#REF!</v></c></row></sheetData>',
    )
    const { [SHEET]: _, ...rest } = parts()
    const relations = rest['xl/_rels/workbook.xml.rels']?.replace('sheet1.xml', 'My%20Sheet.xml') ?? ''
    const bytes = zipped({
      ...rest,
      'xl/_rels/workbook.xml.rels': relations,
      'xl/worksheets/My%20Sheet.xml': error ?? '',
    })
    await expect(csvIn(bytes)).rejects.toThrow('holds the error #REF!')
  })

  it('may have very long rows', async () => {
    const long = 'x'.repeat(30_000)
    const cells = Array.from({ length: 100 }, () => `<c t="inlineStr"><is><t>${long}</t></is></c>`).join('')
    const csv = await csvIn(
      workbook({ sheets: { Styles: `<row r="1">${cells}</row><row r="2">${number('A2', '1', 0)}</row>` } }),
    )
    expect(csv.length).toBeGreaterThan(3_000_000)
    expect(csv.split('\n')).toHaveLength(3)
  })
})
