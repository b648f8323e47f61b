// Small workbooks, written part by part as Excel writes them, so that the reading library is not tested by its own writing.

import { crc32, deflateRawSync } from 'node:zlib'
import { sheetCsv } from '../../../src/clients/xlsx/sheet-csv.ts'

/** The XML of the cells of each sheet: `<row>` elements. */
export interface Parts {
  sheets: Record<string, string>
  hidden?: string[]
  /** Those that hold a chart alone. */
  charts?: string[]
  strings?: string[]
  /** Number formats of the cell styles 1, 2, …; style 0 is general. */
  formats?: string[]
  date1904?: boolean
  /** Number formats of conditions, numbered as those of the cells. */
  conditional?: string[]
  /** Whether whoever opens it is to compute its formulas. */
  isUncomputed?: boolean
  /** Sizes and places as numbers of 64 bits, as some writers have them always. */
  isLarge?: boolean
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export function workbook(given: Parts): Uint8Array {
  return zipped(partsIn(given), { isLarge: given.isLarge ?? false })
}

export function partsIn(given: Parts): Record<string, string> {
  const { sheets, hidden = [], charts = [], strings = [], formats = [], date1904 = false } = given
  const { conditional = [], isUncomputed = false } = given
  const names = Object.keys(sheets)
  const listed = names.map((name, at) => {
    const state = hidden.includes(name) ? ' state="hidden"' : ''
    return `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`
  })
  const relations = names.map((name, at) => {
    const type = charts.includes(name) ? 'chartsheet' : 'worksheet'
    return relation(`rId${at + 1}`, type, `worksheets/sheet${at + 1}.xml`)
  })
  relations.push(relation('rIdS', 'styles', 'styles.xml'), relation('rIdT', 'sharedStrings', 'sharedStrings.xml'))
  const numFmts = formats.map((format, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/>`)
  const conditions = conditional.map(
    (format, at) => `<dxf><numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/></dxf>`,
  )
  const xfs = formats.map((_, at) => `<xf numFmtId="${164 + at}" fontId="0" fillId="0" borderId="0" xfId="0"/>`)
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/></Types>`,
    '_rels/.rels': relationships([relation('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><workbookPr${date1904 ? ' date1904="1"' : ''}/>
      <sheets>${listed.join('')}</sheets>${isUncomputed ? '<calcPr calcId="1" fullCalcOnLoad="1"/>' : ''}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(relations),
  }
  for (const [at, rows] of Object.values(sheets).entries()) {
    parts[`xl/worksheets/sheet${at + 1}.xml`] = `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
  }
  parts['xl/styles.xml'] = `<styleSheet xmlns="${MAIN}"><numFmts count="${numFmts.length}">${numFmts.join('')}</numFmts>
    <cellXfs count="${xfs.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${xfs.join('')}</cellXfs><dxfs>${conditions.join('')}</dxfs></styleSheet>`
  parts['xl/sharedStrings.xml'] = `<sst xmlns="${MAIN}" count="${strings.length}" uniqueCount="${strings.length}">
    ${strings.map(each => (each.startsWith('<') ? `<si>${each}</si>` : `<si><t xml:space="preserve">${escaped(each)}</t></si>`)).join('')}</sst>`
  return parts
}

export async function csvOf(parts: Parts, sheet = 'Styles', headerRow?: number): Promise<string> {
  let text = ''
  for await (const piece of sheetCsv(workbook(parts), sheet, headerRow)) text += piece
  return text
}

export const inlineCell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

export const numberCell = (at: string, value: string, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`
}

function relationships(all: string[]): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

interface Zipping {
  isLarge?: boolean
  /** As it is, not packed. */
  isStored?: boolean
  encoding?: BufferEncoding
}

export function zipped(
  parts: Record<string, string>,
  { isLarge = false, isStored = false, encoding = 'utf8' }: Zipping = {},
): Uint8Array {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, xml] of Object.entries(parts)) {
    const content = Buffer.from(HEAD + xml, encoding)
    const packed = isStored ? content : deflateRawSync(content)
    const path = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isStored ? 0 : 8, 4)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const extra = isLarge ? elsewhere(facts, tail, content.length, packed.length, offset) : Buffer.alloc(0)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), facts, tail, path, extra]))
    files.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  const large = Buffer.alloc(isLarge ? 76 : 0)
  if (isLarge) {
    large.write('PK\u0006\u0006', 0, 'latin1')
    large.writeBigUInt64LE(44n, 4)
    large.writeBigUInt64LE(BigInt(directory.length), 24)
    large.writeBigUInt64LE(BigInt(directory.length), 32)
    large.writeBigUInt64LE(BigInt(index.length), 40)
    large.writeBigUInt64LE(BigInt(offset), 48)
    large.write('PK\u0006\u0007', 56, 'latin1')
    large.writeBigUInt64LE(BigInt(offset + index.length), 64)
    large.writeUInt32LE(1, 72)
    end.writeUInt32LE(0xffffffff, 16)
  }
  return new Uint8Array(Buffer.concat([...files, index, large, end]))
}

/** Moves the sizes and the place of an entry behind its name. */
function elsewhere(facts: Buffer, tail: Buffer, ...numbers: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * numbers.length, 2)
  for (const [at, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + 8 * at)
  for (const at of [14, 18]) facts.writeUInt32LE(0xffffffff, at)
  facts.writeUInt16LE(extra.length, 24)
  tail.writeUInt32LE(0xffffffff, 10)
  return extra
}
