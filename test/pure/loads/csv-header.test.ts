import { describe, expect, it } from 'vitest'
import { findHeader } from '../../../src/features/loads/csv/dialect.ts'
import { readHeader } from '../../../src/features/loads/csv/rows.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('the header', () => {
  const header = (text: string | Uint8Array) => {
    const bytes = typeof text === 'string' ? bytesOf(text) : text
    const place = findHeader(bytes, true)
    if (!place) throw new Error('no header')
    return { ...readHeader(bytes, place), ...place }
  }

  it('tells comma, semicolon and tab apart', () => {
    expect(header('a,b\n1,2').dialect.delimiter).toBe(',')
    expect(header('a;b;"x,y,z,w"\n').dialect.delimiter).toBe(';')
    expect(header('a\tb\n').names).toEqual(['a', 'b'])
    expect(header('alone\n').dialect.delimiter).toBe(',')
  })

  it('skips a byte order mark and empty lines, and reads CRLF, LF and CR', () => {
    expect(header('\ufeffa,b\r\n1,2')).toMatchObject({ names: ['a', 'b'], start: 3, line: 1, nextLine: 2 })
    expect(header('\n\r\na,b\n')).toMatchObject({ names: ['a', 'b'], line: 3, nextLine: 4 })
    expect(header(',,\na;b\n')).toMatchObject({ names: ['a', 'b'], line: 2 })
    expect(header('\t\t\t\n ; \na,b\n')).toMatchObject({ names: ['a', 'b'], line: 3 })
    expect(header('a,b\r1,2\r').dialect.lineBreak).toBe('\r')
    expect(header('"two\nlines",b\n1,2')).toMatchObject({ names: ['two\nlines', 'b'], line: 1, nextLine: 3 })
  })

  it('names repeated and dangerous columns, and lets columns have no name', () => {
    expect(header('a,b,a,,__proto__,\n').faults).toEqual([
      {
        line: 1,
        column: 'a',
        message: 'Column 3 repeats the name "a" of column 1. Rename or remove one of them.',
      },
      { line: 1, column: '__proto__', message: 'A column cannot have this name.' },
    ])
  })

  it('opens a quote only where a name begins, and refuses quotes that end within one', () => {
    expect(header('5" pipe,b\n1,2\n').names).toEqual(['5" pipe', 'b'])
    expect(header('a,"b\nc",d\n1,2,3\n').names).toEqual(['a', 'b\nc', 'd'])
    expect(header('"a ""b\nc"";",d\n1,2\n').names).toEqual(['a "b\nc";', 'd'])
    expect(() => header('a,"b"c,d\n1,2,3\n')).toThrow('The quotes of the header are malformed.')
  })

  it('takes the delimiter that a first line names, as Excel writes it', () => {
    expect(header('sep=;\na;"b,c,d,e"\n1;2')).toMatchObject({ names: ['a', 'b,c,d,e'], line: 2, nextLine: 3 })
    expect(header('\ufeffSEP=\t\r\na,b\tc\r\n').names).toEqual(['a,b', 'c'])
    expect(header('sep,a\n').names).toEqual(['sep', 'a'])
    expect(header('"sep=;"\r\na;b\r\n')).toMatchObject({ names: ['a', 'b'], line: 2 })
    expect(header('sep=;\nalone\n').dialect.delimiter).toBe(';')
    expect(() => header('sep=|\na|b\n')).toThrow('must be a comma, a semicolon or a tab')
  })

  it('tells what a file is that is no CSV', () => {
    expect(() => header(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toThrow('Excel workbook')
    expect(() => header(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]))).toThrow('old Excel')
    expect(() => header('%PDF-1.7\n')).toThrow('PDF')
    expect(() => header(new Uint8Array([0x1f, 0x8b, 8]))).toThrow('gzip')
    const zip = (content: string) =>
      Uint8Array.from(`PK\x03\x04${'\0'.repeat(26)}${content}`, sign => sign.charCodeAt(0))
    expect(() => header(zip('mimetypeapplication/vnd.oasis.opendocument'))).toThrow('This is an OpenDocument file')
    expect(() => header(zip('load.csv\n\xff'))).toThrow('This is a ZIP file, not a CSV file. Unpack it first.')
    for (const name of ['[Content_Types].xml', '_rels/.rels', 'docProps/app.xml', 'xl/workbook.xml']) {
      expect(() => header(zip(name))).toThrow('Excel workbook')
    }
    for (const html of ['<!DOCTYPE html>\n', '\ufeff\n<html lang="en">']) expect(() => header(html)).toThrow('is HTML')
    for (const json of ['{"a":1}', '[\n {', '["a"]', '{}']) expect(() => header(json)).toThrow('This is JSON')
    expect(header('[Style],{Name}\n').names).toEqual(['[Style]', '{Name}'])
  })

  it('waits for more bytes only while more can come', () => {
    expect(findHeader(bytesOf('a,b'), false)).toBeUndefined()
    expect(findHeader(bytesOf('a,b\r'), false)).toBeUndefined()
    expect(findHeader(bytesOf('a,b'), true)).toMatchObject({ end: 3 })
  })

  it('refuses files that are empty, UTF-16, not UTF-8 or too wide', () => {
    expect(() => header('')).toThrow('empty')
    expect(() => header('\ufeff\n \n')).toThrow('empty')
    expect(() => header(new Uint8Array([0xff, 0xfe, 0x61, 0x00]))).toThrow('UTF-16')
    for (const code of ['a\0,\0b\0', '\0a\0,\0b']) expect(() => header(code)).toThrow('UTF-16')
    expect(() => header('a,\0b\n')).toThrow('NUL')
    expect(header('"a|b"\n').names).toEqual(['a|b'])
    expect(header('a|b,c\n').names).toEqual(['a|b', 'c'])
    expect(() => header(new Uint8Array([0x61, 0xe9, 0x0a]))).toThrow('not UTF-8')
    expect(() => header(`${Array.from({ length: 1001 }, (_, i) => `c${i}`).join(',')}\n`)).toThrow(
      '1001 columns, at most 1000 are',
    )
    expect(() => header('"a,b\n1,2')).toThrow('never closed')
  })
})
