// A binary workbook (.xlsb) is refused by the service and by what converts workbooks, and neither sends to the other.
import { describe, expect, it } from 'vitest'
import { sheetNames } from '../../../src/clients/xlsx/sheet-csv.ts'
import { findHeader } from '../../../src/features/loads/csv/dialect.ts'
import { partsIn, zipped } from './workbook.ts'

const written = partsIn({ sheets: { Styles: '' } })
const { 'xl/workbook.xml': _, '_rels/.rels': relations = '', ...rest } = written
const binary = {
  ...rest,
  '_rels/.rels': relations.replace('workbook.xml', 'workbook.bin'),
  'docProps/thumbnail.txt': Array.from({ length: 2000 }, (_, at) => at ** 2).join(),
  'xl/workbook.bin': '\u0083\u0001',
}

describe('a binary workbook', () => {
  it('is to be saved as another kind first, whoever is asked', async () => {
    const bytes = zipped(binary)
    expect(Buffer.from(bytes).indexOf('xl/workbook.bin')).toBeGreaterThan(4000)
    expect(() => findHeader(bytes, true)).toThrow(
      'This is a binary Excel workbook (.xlsb), not a CSV file. Save it as .xlsx',
    )
    await expect(sheetNames(bytes)).rejects.toThrow('It is a binary Excel workbook (.xlsb). Save it as .xlsx first.')
  })

  it('is none where only some part of it is binary, or a text names one', () => {
    const macros = { ...written, 'xl/vbaProject.bin': 'xl/workbook.bin', 'xl/printerSettings/printerSettings1.bin': '' }
    expect(() => findHeader(zipped(macros, { isStored: true }), true)).toThrow(
      'This is an Excel workbook, not a CSV file.',
    )
    expect(findHeader(Buffer.from('PK,name\n1,xl/workbook.bin\n'), true)?.end).toBe(8)
  })
})
