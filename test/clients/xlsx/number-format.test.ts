import { describe, expect, it } from 'vitest'
import { durationText } from '../../../src/clients/xlsx/cell-text.ts'
import { kindOfFormat } from '../../../src/clients/xlsx/number-format.ts'
import { csvOf, inlineCell, numberCell } from './workbook.ts'

const header = `<row r="1">${inlineCell('A1', 'name')}${inlineCell('B1', 'value')}</row>`
const secondRow = (xml: string) => ({ Styles: `${header}<row r="2">${inlineCell('A2', 'x')}${xml}</row>` })

describe('number formats', () => {
  it.each([
    '#,##0.00 [$€-de-DE]',
    '#,##0.00 [$€-de-AT]',
    '#,##0.00 [$kr.-da-DK]',
    '[$Fr.-de-CH] #,##0.00',
    '[$S/-es-PE] #,##0.00;[Red]-[$S/-es-PE] #,##0.00',
    '#,##0.00 [$€-x-sysdate]',
    '[>=1000]#,##0 "days";0 "hours"',
    '0.00 USD',
    '0\\d',
    '_-* #,##0.00 [$DH-fr-MA]_-',
    'General',
  ])('take a price in %s for a number', async format => {
    expect(kindOfFormat(164, format)).toBe('number')
    const parts = { sheets: secondRow(numberCell('B2', '1234.123456789', 1)), formats: [format] }
    expect(await csvOf(parts)).toBe('name,value\nx,1234.123456789\n')
  })

  it.each([
    'yyyy-mm-dd',
    '[$-de-DE]dddd, d. mmmm yyyy',
    '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
    'dd/mm/yyyy;@',
    '[=0]"";d/m/yy',
    '[Red]yyyy',
  ])('take %s for a date', format => {
    expect(kindOfFormat(164, format)).toBe('date')
  })

  it('take what shows neither year nor day for a time, also where it is built in', () => {
    const formats = ['h:mm AM/PM', 'mm:ss.000', 'hh:mm;@', '[$-409]h:mm\\ "daily"']
    expect(formats.map(format => kindOfFormat(164, format))).toEqual(formats.map(() => 'time'))
    expect([18, 21, 45, 47].map(id => kindOfFormat(id, undefined))).toEqual(['time', 'time', 'time', 'time'])
    expect(['mmm', 'd h:mm', 'yyyy h'].map(format => kindOfFormat(164, format))).toEqual(['date', 'date', 'date'])
  })

  it.each(['m', 'mm', 'MM;@', '[$-409]mm', 'mm"."', 'mmm', 'd', 'yy'])(
    'take %s for a date of which a part is shown',
    async format => {
      const of = async (serial: string, date1904 = false) =>
        (await csvOf({ sheets: secondRow(numberCell('B2', serial, 1)), formats: [format], date1904 })).slice(
          'name,value\nx,'.length,
        )
      expect(await of('46000')).toBe('2025-12-09\n')
      expect(await of('46000.5')).toBe('2025-12-09T12:00:00\n')
      expect(await of('0', true)).toBe('1904-01-01\n')
      await expect(of('-1')).rejects.toThrow('holds a day before 1900')
    },
  )

  it('take m for minutes beside hours or seconds, and for a letter beside digits', async () => {
    const formats = ['h:mm', 'mm:ss', '[mm]', '[m]:ss', '0 m', 'General m', '"m"', '\\m']
    expect(formats.map(format => kindOfFormat(164, format))).toEqual([
      'time',
      'time',
      'duration',
      'duration',
      'number',
      'number',
      'number',
      'number',
    ])
  })

  it('are found also in workbooks that write every size and place in 64 bits', async () => {
    const parts = { sheets: secondRow(numberCell('B2', '12.5', 1)), formats: ['0.00 [$kr.-da-DK]'], isLarge: true }
    expect(await csvOf(parts)).toBe('name,value\nx,12.5\n')
  })

  it('are those of their own rows, whatever the texts of the sheet look like', async () => {
    const odd =
      '<row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[</row><row><c><v>1</v></c></row>]]></t></is></c></row>'
    const price = (row: number) =>
      `<row r="${row}">${inlineCell(`A${row}`, 'x')}${numberCell(`B${row}`, `${row}.5`, 1)}</row>`
    const rows = `${header}${odd}<row r="3"/>${price(4)}<row r="5">${inlineCell('A5', 'y')}</row>${price(6)}`
    expect(await csvOf({ sheets: { Styles: rows }, formats: ['0.00 [$kr.-da-DK]'] })).toBe(
      'name,value\n</row><row><c><v>1</v></c></row>,\n\nx,4.5\ny,\nx,6.5\n',
    )
  })

  it('take hours that may be more than a day for a duration, also in the format that is built in', async () => {
    const formats = ['[h]:mm', '[$-409][mm]:ss', '[hh]:mm:ss;@']
    expect(formats.map(format => kindOfFormat(164, format))).toEqual(formats.map(() => 'duration'))
    expect(kindOfFormat(46, undefined)).toBe('duration')
    const hours = (25 / 24).toString()
    expect(await csvOf({ sheets: secondRow(numberCell('B2', hours, 1)), formats })).toBe('name,value\nx,25:00:00\n')
  })

  it('tell durations to the millisecond', () => {
    expect([0, 0.5, 1 / 3, 100, -0.0625, 1e-9, -1e-9, 1 / 86_400_000, 1.99999652777778].map(durationText)).toEqual([
      '00:00:00',
      '12:00:00',
      '08:00:00',
      '2400:00:00',
      '-01:30:00',
      '00:00:00',
      '00:00:00',
      '00:00:00.001',
      '47:59:59.700',
    ])
  })
})

describe('formulas', () => {
  const formula = (value: string, type = '') => secondRow(`<c r="B2"${type}><f>A2</f>${value}</c>`)

  it.each(['', '<v></v>', '<v/>'])('are refused where nothing has computed them: %j', async value => {
    const why = 'Cell B2 of the sheet Styles holds a formula without a result'
    await expect(csvOf({ sheets: formula(value) })).rejects.toThrow(why)
  })

  it('are taken with their results, an empty text among them', async () => {
    expect(await csvOf({ sheets: formula('<v>7</v>') })).toBe('name,value\nx,7\n')
    expect(await csvOf({ sheets: formula('<v></v>', ' t="str"') })).toBe('name,value\nx,\n')
  })

  it.each(['""', '&quot;&quot;'])('of an empty text need no result: %s', async empty => {
    for (const value of ['', '<v></v>', '<v/>']) {
      expect(await csvOf({ sheets: secondRow(`<c r="B2"><f>${empty}</f>${value}</c>`) })).toBe('name,value\nx,\n')
    }
    const longer = secondRow(`<c r="B2"><f>${empty}&amp;A2</f><v></v></c>`)
    await expect(csvOf({ sheets: longer })).rejects.toThrow('Cell B2 of the sheet Styles holds a formula')
    const zero = secondRow(`<c r="B2"><f>${empty}</f><v>0</v></c>`)
    await expect(csvOf({ sheets: zero, isUncomputed: true })).rejects.toThrow('holds a formula without a result')
  })

  it('are found by their column where cells have no address, and with prefixes', async () => {
    const rows = `<row><c><v>1</v></c><c><f>A1</f></c></row>`
    await expect(csvOf({ sheets: { Styles: rows } })).rejects.toThrow('Cell B1 of')
    const prefixed = '<x:row><x:c><x:v>1</x:v></x:c><x:c/><x:c><x:f>A1</x:f></x:c></x:row>'
    await expect(csvOf({ sheets: { Styles: prefixed } })).rejects.toThrow('Cell C1 of')
  })

  it('are found in the sheet that was asked for, in a row far below', async () => {
    const many = Array.from(
      { length: 5000 },
      (_, at) => `<row r="${at + 2}">${numberCell(`A${at + 2}`, String(at))}</row>`,
    )
    const last = '<row r="5002"><c r="AB5002"><f>A1</f></c></row>'
    const sheets = { Notes: header, 'A & B': `${header}${many.join('')}${last}` }
    expect(await csvOf({ sheets }, 'Notes')).toBe('name,value\n')
    await expect(csvOf({ sheets }, 'A & B')).rejects.toThrow('Cell AB5002 of the sheet A & B')
  })
})

describe('errors', () => {
  it.each(['#FIELD!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!', '#PYTHON!'])('%s is refused', async error => {
    const refused = csvOf({ sheets: secondRow(`<c r="B2" t="e"><v>${error}</v></c>`) })
    await expect(refused).rejects.toThrow(`Cell B2 of the sheet Styles holds the error ${error}.`)
  })
})
