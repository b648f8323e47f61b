import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { CsvFault, type Dialect } from '../../../src/features/loads/csv/dialect.ts'
import { parseRecords } from '../../../src/features/loads/csv/records.ts'
import { readRows } from '../../../src/features/loads/csv/rows.ts'
import { type RecordRange, Splitter } from '../../../src/features/loads/csv/splitter.ts'
import { readCell, writeCell, writeRow } from '../../../src/platform/formats/csv-cell.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const commas: Dialect = { delimiter: ',', lineBreak: '\n' }

function cutAt(bytes: Uint8Array, borders: number[]): Uint8Array[] {
  const places = [...new Set(borders.map(border => border % (bytes.length + 1)))].sort((a, b) => a - b)
  const chunks: Uint8Array[] = []
  let from = 0
  for (const place of [...places, bytes.length]) {
    chunks.push(bytes.subarray(from, place))
    from = place
  }
  return chunks
}

function split(chunks: Uint8Array[], options: Partial<ConstructorParameters<typeof Splitter>[0]> = {}): RecordRange[] {
  const splitter = new Splitter({
    dialect: commas,
    start: 0,
    line: 1,
    targetBytes: 32,
    maxRecords: 1000,
    maxRecordBytes: 10_000,
    ...options,
  })
  const ranges = chunks.flatMap(chunk => [...splitter.push(chunk)])
  return [...ranges, ...splitter.finish()]
}

const piece = fc.oneof(
  fc.constantFrom(',', '\n', '\r\n', '"', '""', '",', '"\n', 'a', 'é', '漢', '😀', ' ', '\t', ';', "'", '=', '5" pipe'),
  fc.string({ maxLength: 4 }),
)
const wildText = fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join('').replaceAll('\0', ''))
const cell = fc.array(fc.constantFrom('a', 'b', '"', ',', '\n', '\r\n', ' ', 'é', '漢', '😀', ';'), { maxLength: 6 })
const table = fc.array(
  fc.array(
    cell.map(parts => parts.join('')),
    { minLength: 3, maxLength: 3 },
  ),
  {
    minLength: 1,
    maxLength: 20,
  },
)
const borders = fc.array(fc.nat(5000), { maxLength: 12 })

describe('the splitter', () => {
  it('puts every byte into exactly one range, whatever the text and wherever chunks end', () => {
    fc.assert(
      fc.property(wildText, borders, fc.integer({ min: 1, max: 80 }), (text, at, targetBytes) => {
        const bytes = bytesOf(text)
        const ranges = split(cutAt(bytes, at), { targetBytes })
        expect(Buffer.concat(ranges.map(range => range.bytes)).equals(Buffer.from(bytes))).toBe(true)
        let place = 0
        for (const range of ranges) {
          expect(range.start).toBe(place)
          place += range.bytes.length
          expect(range.ends.at(-1)).toBe(range.bytes.length)
          expect(range.lines.length).toBe(range.ends.length)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('finds the same records for every way of cutting the stream', () => {
    const records = (ranges: RecordRange[]) =>
      ranges.flatMap(range => range.ends.map((end, index) => [range.start + end, range.lines[index]]))
    fc.assert(
      fc.property(wildText, borders, fc.integer({ min: 1, max: 80 }), (text, at, targetBytes) => {
        const bytes = bytesOf(text)
        const whole = split([bytes], { targetBytes: 100_000 })
        expect(records(split(cutAt(bytes, at), { targetBytes }))).toEqual(records(whole))
      }),
      { numRuns: 1000 },
    )
  })

  it('finds the same records when every range is read by a splitter of its own, as after a checkpoint', () => {
    fc.assert(
      fc.property(wildText, fc.integer({ min: 1, max: 80 }), (text, targetBytes) => {
        const bytes = bytesOf(text)
        const whole = split([bytes], { targetBytes })
        let from = { start: 0, line: 1 }
        for (const expected of whole) {
          const [range] = split([bytes.subarray(from.start)], { targetBytes, ...from })
          expect(range).toEqual(expected)
          from = { start: expected.start + expected.bytes.length, line: expected.nextLine }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('gives the parser ranges that read like the whole text', () => {
    fc.assert(
      fc.property(table, borders, fc.integer({ min: 1, max: 80 }), (rows, at, targetBytes) => {
        const text = Papa.unparse(rows, { newline: '\n', quotes: false })
        const expected = rows
          .map(row => row.map(value => readCell(value)))
          .filter(row => row.some(value => value !== ''))
        const read = split(cutAt(bytesOf(text), at), { targetBytes }).map(range =>
          readRows(range, commas, ['a', 'b', 'c']),
        )
        expect(read.flatMap(({ cells }) => cells)).toEqual(expected)
        expect(read.flatMap(({ faults }) => faults)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('sees as many records as the parser, in any text', () => {
    fc.assert(
      fc.property(
        wildText,
        fc.constantFrom<Dialect[]>(commas, { delimiter: '\t', lineBreak: '\r' }),
        (text, dialect) => {
          const ranges = split([bytesOf(text)], { dialect, targetBytes: 100_000 })
          const ends = ranges.flatMap(range => range.ends)
          expect(parseRecords(text, dialect).records.length).toBe(ends.length)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('reads any text without throwing, row for row', () => {
    fc.assert(
      fc.property(wildText, borders, (text, at) => {
        for (const range of split(cutAt(bytesOf(text), at))) {
          const rows = readRows(range, commas, ['a', 'b', 'c'])
          expect(rows.cells.length).toBe(rows.lines.length)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('can go on at the position of a checkpoint', () => {
    const bytes = bytesOf('a,b\n"x\ny",2\nc,3\n"é",4\n')
    const options = { dialect: commas, start: 0, line: 1, targetBytes: 5, maxRecords: 9, maxRecordBytes: 99 }
    const first = new Splitter(options)
    const one = first.push(bytes).next().value
    expect(one).toMatchObject({ lines: [1, 2], ends: [4, 12] })
    const { start, line } = first.position
    const rest = split([bytes.subarray(start)], { start, line })
    expect(rest.flatMap(range => range.lines)).toEqual([4, 5])
  })

  it('bounds the size of one record and says where an open quote began', () => {
    const bytes = bytesOf(`a,b\n1,"${'x\n'.repeat(8000)}`)
    expect(() => split([bytes])).toThrow(
      new CsvFault('Row of more than 9 KB: a quote that is opened here is not closed by then.', 2),
    )
  })
})

describe('records', () => {
  it('are what papaparse sees in the same text, right or wrong', () => {
    let wrong = 0
    const ascii = wildText.map(text => `${text.replaceAll(/[^\n\r\t -~é漢😀]/gu, '')}\n`)
    fc.assert(
      fc.property(ascii, text => {
        const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', newline: '\n', quoteChar: '"' })
        // It sees one more, empty record behind the last line break, unless a quote swallows that.
        if (data.at(-1)?.join() === '' && data.at(-1)?.length === 1) data.pop()
        const { records, malformed } = parseRecords(text, commas)
        expect(records).toEqual(data)
        expect(new Set(malformed.keys())).toEqual(new Set(errors.map(({ row }) => row)))
        if (malformed.size > 0) wrong += 1
      }),
      { numRuns: 3000 },
    )
    expect(wrong).toBeGreaterThan(100)
  })

  it('have an empty cell behind a last delimiter, and one cell in an empty line', () => {
    expect(parseRecords('a,\n\n"b",', commas).records).toEqual([['a', ''], [''], ['b', '']])
    expect(parseRecords('a,b,', commas).records).toEqual([['a', 'b', '']])
    expect(parseRecords('', commas).records).toEqual([])
  })
})

describe('the rows', () => {
  const read = (text: string | Uint8Array, columns: number | string[]) =>
    split([typeof text === 'string' ? bytesOf(text) : text], { targetBytes: 100_000, line: 2 }).map(range =>
      readRows(range, commas, typeof columns === 'number' ? ['a', 'b', 'c', 'd'].slice(0, columns) : columns),
    )

  it('may end in a delimiter, and leave columns without a name empty', () => {
    expect(read('1,2,\n3,4,,\n', 2)).toMatchObject([
      {
        cells: [
          ['1', '2'],
          ['3', '4'],
        ],
        faults: [],
      },
    ])
    expect(read('1,2\n3,4,\n', ['a', 'b', ''])).toMatchObject([
      {
        cells: [
          ['1', '2', ''],
          ['3', '4', ''],
        ],
        faults: [],
      },
    ])
    expect(read('1,2,x\n', ['a', 'b', ''])[0]?.faults).toMatchObject([{ line: 2 }])
    expect(read('1,,2\n', ['a', '', 'b'])[0]?.faults).toEqual([])
  })

  it('carry their true line after quoted line breaks and empty lines', () => {
    expect(read('"a\nb",1\n\nc,2\r\n,\r\nd\n', 2)).toEqual([
      {
        cells: [['a\nb', '1'], ['c', '2'], ['d']],
        lines: [2, 5, 7],
        faults: [{ line: 7, message: 'The row has 1 cells, the header has 2. Fill it up with delimiters.' }],
      },
    ])
  })

  it('accept a quote inside a field and refuse malformed ones with their line', () => {
    expect(read('5" pipe,1\n', 2)[0]?.cells).toEqual([['5" pipe', '1']])
    const message = 'The quotes of this row are malformed. A quote inside a quoted cell is written twice.'
    expect(read('x,1\n"a"b,2\n', 2)[0]?.faults).toEqual([{ line: 3, message, malformed: new Map([[0, '"a"b,2\n']]) }])
  })

  it('take white space behind a closing quote for nothing, and no other sign', () => {
    expect(read('"a" \t\v\f,1\n', 2)[0]).toMatchObject({ cells: [['a', '1']], faults: [] })
    for (const sign of ['\b', '\x0e', '\x1f', '!']) expect(read(`"a"${sign},1\n`, 2)[0]?.faults).toHaveLength(1)
  })

  it('name the line that is not UTF-8 or holds a NUL', () => {
    expect(() => read(new Uint8Array([0x61, 0x0a, 0x62, 0x0a, 0xc3, 0x0a]), 1)).toThrow(
      expect.objectContaining({ line: 4, message: expect.stringContaining('not UTF-8') }),
    )
    expect(() => read('a\nb\0\n', 1)).toThrow(new CsvFault('The file is not text: it holds a NUL character.', 3))
  })
})

describe('cells that the service writes', () => {
  it('are no formulas for a spreadsheet and read back as they were', () => {
    expect(writeCell('=1+1', ',')).toBe("'=1+1")
    expect(writeCell('-5.2', ',')).toBe('-5.2')
    expect(writeCell('+49 30', ',')).toBe("'+49 30")
    expect(writeCell('＝1+1', ',')).toBe("'＝1+1")
    expect(writeCell('x;=1+1', ',')).toBe("x;'=1+1")
    expect(writeCell('red;-5;blue', ',')).toBe('red;-5;blue')
    expect(readCell("'@user")).toBe('@user')
    expect(readCell("'quoted'")).toBe("'quoted'")
    fc.assert(
      fc.property(table, rows => {
        const trimmed = rows.map(row => ['x', ...row.map(value => value.trim())])
        const text = trimmed.map(row => writeRow(row, ',')).join('')
        const read = split([bytesOf(text)], { targetBytes: 100_000 }).flatMap(
          range => readRows(range, commas, ['a', 'b', 'c', 'd']).cells,
        )
        expect(read).toEqual(trimmed)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '=', '＝', ';', '+', '-', '@', '1', '.', 'a') }), text => {
        expect(readCell(writeCell(text, ','))).toBe(text)
      }),
    )
  })
})
