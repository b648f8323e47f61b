import { describe, expect, it } from 'vitest'
import { cellAddress, cellText, csvCell } from '../../../src/clients/xlsx/cell-text.ts'
import { sheetNamed, sheetNames, WorkbookError } from '../../../src/clients/xlsx/sheet-csv.ts'
import { isOldWorkbook, isWorkbook } from '../../../src/clients/xlsx/workbook-kind.ts'
import { csvOf, inlineCell as inline, numberCell as number, workbook, zipped } from './workbook.ts'

const header = `<row r="1">${inline('A1', 'name')}${inline('B1', 'value')}</row>`
const cell = (xml: string) => ({ Styles: `${header}<row r="2">${inline('A2', 'x')}${xml}</row>` })

describe('a sheet as CSV', () => {
  it('takes shared, inline and formula texts, rich text and what needs quotes', async () => {
    const strings = ['name', 'value', 'a, "b"\nc', '<r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r>', ' padded ']
    const shared = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`
    const rows = [
      `<row r="1">${shared('A1', 0)}${shared('B1', 1)}</row>`,
      `<row r="2">${shared('A2', 2)}${shared('B2', 3)}</row>`,
      `<row r="3">${inline('A3', 'a &amp; b')}<c r="B3" t="str"><f>A3</f><v>made</v></c></row>`,
      `<row r="4">${shared('A4', 4)}${inline('B4', '00123')}</row>`,
    ]
    expect(await csvOf({ sheets: { Styles: rows.join('') }, strings })).toBe(
      'name,value\n"a, ""b""\nc",rich\na & b,made\n" padded ",00123\n',
    )
  })

  it('begins at the header row that was chosen: a title above it becomes an empty line', async () => {
    const rows = [
      `<row r="1">${inline('A1', 'Spring line')}</row>`,
      `<row r="3">${inline('A3', 'name')}${inline('B3', 'value')}</row>`,
      `<row r="4">${inline('A4', 'x')}</row>`,
    ]
    expect(await csvOf({ sheets: { Styles: rows.join('') } }, 'Styles', 3)).toBe('\n\nname,value\nx,\n')
  })

  it.each([
    ['12', '12'],
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.3'],
    ['-5E-7', '-0.0000005'],
    ['1.25E+22', '12500000000000000000000'],
    ['4111111111111114', '4111111111111114'],
    ['-9007199254740991', '-9007199254740991'],
    ['0', '0'],
  ])('takes the number %s as its value, not as it is shown', async (stored, text) => {
    const formats = ['#,##0.00 "€"', '0%']
    for (const style of [0, 1, 2]) {
      expect(await csvOf({ sheets: cell(number('B2', stored, style)), formats })).toBe(`name,value\nx,${text}\n`)
    }
  })

  it('refuses whole numbers of more digits than can be kept', async () => {
    const numbered = csvOf({ sheets: cell(number('B2', '123456789012345678')) })
    await expect(numbered).rejects.toThrow(
      'Cell B2 of the sheet Styles holds a number of more digits than can be kept.',
    )
  })

  it.each([
    ['45000', '2023-03-15'],
    ['45000.5', '2023-03-15T12:00:00'],
    ['45000.333333333336', '2023-03-15T08:00:00'],
    ['1', '1900-01-01'],
    ['59', '1900-02-28'],
    ['61', '1900-03-01'],
    ['46081.99999652778', '2026-02-28T23:59:59.700'],
    ['46081.999999999996', '2026-03-01'],
    ['46081.500000001', '2026-02-28T12:00:00'],
    ['45000.000000578704', '2023-03-15T00:00:00.050'],
    ['0.75', '18:00:00'],
  ])('takes the date %s as its value', async (serial, text) => {
    for (const format of ['yyyy-mm-dd', 'd/m/yy h:mm', '[$-409]mmmm d\\, yyyy']) {
      expect(await csvOf({ sheets: cell(number('B2', serial, 1)), formats: [format] })).toBe(`name,value\nx,${text}\n`)
    }
  })

  it.each([
    ['2026-01-02T00:00:00', '2026-01-02'],
    ['2026-01-02T00:00:00.000Z', '2026-01-02'],
    ['2026-01-02T00:00', '2026-01-02'],
    ['2026-01-02', '2026-01-02'],
    ['2026-01-02T08:30', '2026-01-02T08:30:00'],
    ['2026-02-28T23:59:59.700000', '2026-02-28T23:59:59.700'],
    ['23:59:59.700', '23:59:59.700'],
    ['2026-01-02T00:00:00+02:00', '2026-01-02T00:00:00+02:00'],
  ])('takes the date %s in ISO 8601 as the same one that is a number', async (iso, text) => {
    expect(await csvOf({ sheets: cell(`<c r="B2" t="d"><v>${iso}</v></c>`) })).toBe(`name,value\nx,${text}\n`)
    expect(await csvOf({ sheets: cell(inline('B2', '2026-01-02T00:00:00')) })).toContain('x,2026-01-02T00:00:00\n')
  })

  it('counts days from 1904 where the workbook does', async () => {
    const parts = { sheets: cell(number('B2', '43538', 1)), formats: ['yyyy-mm-dd'], date1904: true }
    expect(await csvOf(parts)).toBe('name,value\nx,2023-03-15\n')
  })

  it.each([
    ['0', '00:00:00'],
    ['0.75', '18:00:00'],
    ['0.999999999999', '00:00:00'],
    ['0.99999652778', '23:59:59.700'],
  ])(
    'takes %s for a time of day where no more is shown, whatever day the workbook counts from',
    async (serial, text) => {
      for (const date1904 of [true, false]) {
        const parts = { sheets: cell(number('B2', serial, 1)), formats: ['h:mm AM/PM;@'], date1904 }
        expect(await csvOf(parts)).toBe(`name,value\nx,${text}\n`)
        expect(await csvOf({ ...parts, sheets: cell(number('B2', serial, 0)) })).toBe(`name,value\nx,${serial}\n`)
      }
    },
  )

  it('takes what shows its day for a day, the first one too', async () => {
    const of = (serial: string, format: string, date1904: boolean) =>
      csvOf({ sheets: cell(number('B2', serial, 1)), formats: [format], date1904 })
    expect(await of('0', 'yyyy-mm-dd', true)).toBe('name,value\nx,1904-01-01\n')
    expect(await of('0.5', 'yyyy-mm-dd hh:mm', true)).toBe('name,value\nx,1904-01-01T12:00:00\n')
    expect(await of('45000.5', 'hh:mm', false)).toBe('name,value\nx,2023-03-15T12:00:00\n')
  })

  it.each(['h"時"mm"分"', 'h\\hmm'])(
    'takes %s for what h:mm is, and no time before zero for another one',
    async format => {
      const of = async (serial: string, date1904: boolean) =>
        (await csvOf({ sheets: cell(number('B2', serial, 1)), formats: [format], date1904 })).slice(
          'name,value\nx,'.length,
        )
      expect(await of('0.5', false)).toBe('12:00:00\n')
      expect(await of('45000.25', false)).toBe('2023-03-15T06:00:00\n')
      expect(await of('1.5', false)).toBe('1900-01-01T12:00:00\n')
      expect(await of('1.5', true)).toBe('1904-01-02T12:00:00\n')
      expect(await of('-0.25', false)).toBe('-06:00:00\n')
    },
  )

  it('takes booleans, and refuses a cell that holds an error, naming it', async () => {
    expect(await csvOf({ sheets: cell('<c r="B2" t="b"><v>1</v></c>') })).toBe('name,value\nx,true\n')
    const refused = csvOf({ sheets: cell('<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>') })
    await expect(refused).rejects.toThrow('Cell B2 of the sheet Styles holds the error #DIV/0!.')
    const unknown = csvOf({ sheets: cell('<c r="B2" t="e"><v>#EXTERNAL!</v></c>') })
    await expect(unknown).rejects.toThrow('Cell B2 of the sheet Styles holds the error #EXTERNAL!.')
    expect(await csvOf({ sheets: cell(inline('B2', '#N/A')) })).toBe('name,value\nx,#N/A\n')
  })

  it.each(['-1', '2958466', '4006381333931'])('refuses %s as a day: there is none', async serial => {
    const none = csvOf({ sheets: cell(number('B2', serial, 1)), formats: ['yyyy-mm-dd'] })
    await expect(none).rejects.toThrow('Cell B2 of the sheet Styles holds a day before 1900 or after 9999.')
  })

  it('keeps the formats of cells and those of conditions apart', async () => {
    const parts = { sheets: cell(number('B2', '45000', 1)), formats: ['yyyy-mm-dd'], conditional: ['#,##0 "kr."'] }
    expect(await csvOf(parts)).toBe('name,value\nx,2023-03-15\n')
  })

  it('refuses a formula whose 0 nobody has computed', async () => {
    const sheets = cell('<c r="B2"><f>6*7</f><v>0</v></c>')
    expect(await csvOf({ sheets })).toBe('name,value\nx,0\n')
    await expect(csvOf({ sheets, isUncomputed: true })).rejects.toThrow('Cell B2 of the sheet Styles holds a formula')
  })

  it('refuses rows that no sheet has', async () => {
    const far = csvOf({
      sheets: { Styles: `<row r="1">${inline('A1', 'a')}</row><row r="1048577">${inline('A1048577', 'b')}</row>` },
    })
    await expect(far).rejects.toThrow(WorkbookError)
    const further = csvOf({
      sheets: {
        Styles: `<row r="1">${inline('A1', 'a')}</row><row r="99999999999">${inline('A99999999999', 'b')}</row>`,
      },
    })
    await expect(further).rejects.toThrow('The sheet Styles has a row 99999999999')
  })

  it('keeps the number of each row, and fills rows up to the header, the first one that holds anything', async () => {
    const rows = [
      `<row r="1"/>`,
      `<row r="2">${inline('A2', 'a')}${inline('B2', 'b')}${inline('C2', 'c')}<c r="D2"/></row>`,
      `<row r="3">${inline('B3', 'only b')}</row>`,
      `<row r="6">${inline('A6', 'after a gap')}</row>`,
      `<row r="7"><c r="A7"/></row>`,
      `<row r="8">${inline('D8', 'too wide')}</row>`,
    ]
    expect(await csvOf({ sheets: { Styles: rows.join('') } })).toBe(
      '\na,b,c\n,only b,\n\n\nafter a gap,,\n\n,,,too wide\n',
    )
  })

  it('reads the sheet that was asked for, and tells which there are', async () => {
    const sheets = { Notes: header, Styles: `<row r="1">${inline('A1', 'this one')}</row>`, Lookup: header }
    expect(await csvOf({ sheets }, 'Styles')).toBe('this one\n')
    expect(await sheetNames(workbook({ sheets, hidden: ['Lookup'] }))).toEqual(['Notes', 'Styles'])
  })

  it('finds the sheet that somebody names, a hidden one too, whatever its capitals', async () => {
    const sheets = { Main: header, Größe: header, Lookup: header, styles: header, STYLES: header }
    const bytes = workbook({ sheets, hidden: ['Lookup'] })
    const found = await Promise.all(
      ['main', 'GRÖßE', 'lookup', 'STYLES', 'Styles', 'Other'].map(name => sheetNamed(bytes, name)),
    )
    expect(found).toEqual(['Main', 'Größe', 'Lookup', 'STYLES', undefined, undefined])
    expect(await csvOf({ sheets, hidden: ['Lookup'] }, 'Lookup')).toBe('name,value\n')
  })

  it('tells a workbook from a CSV file, an old workbook, and one that is broken', async () => {
    const bytes = workbook({ sheets: { Styles: header } })
    expect([isWorkbook(bytes), isOldWorkbook(bytes)]).toEqual([true, false])
    expect(isWorkbook(new TextEncoder().encode('PK,name\n'))).toBe(false)
    expect(isOldWorkbook(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1))).toBe(true)
    await expect(sheetNames(bytes.subarray(0, 300))).rejects.toThrow(WorkbookError)
    await expect(sheetNames(bytes.subarray(0, 300))).rejects.toThrow('The workbook is damaged or incomplete (')
    await expect(sheetNames(zipped({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }))).rejects.toThrow(
      'It is a ZIP file, but no Excel workbook of the kind .xlsx.',
    )
  })
})

describe('cells', () => {
  it('have addresses as Excel writes them', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(column => cellAddress(column, 6))).toEqual([
      'A7',
      'Z7',
      'AA7',
      'AZ7',
      'BA7',
      'ZZ7',
      'AAA7',
    ])
  })

  it('are empty where there is nothing, and stay on one line of CSV', () => {
    expect([null, undefined, '', new Date(Number.NaN)].map(cellText)).toEqual(['', '', '', ''])
    expect(['plain', 'a,b', 'a\r\nb', '"', ' x'].map(csvCell)).toEqual(['plain', '"a,b"', '"a\r\nb"', '""""', '" x"'])
    expect(['a;b;c', 'a\tb'].map(csvCell)).toEqual(['"a;b;c"', '"a\tb"'])
  })
})
