// The annotated file is as wrong as the file was, until it is mended (N28).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { annotatedHeader, annotatedRow } from '../../../src/features/loads/csv/annotated.ts'
import { findHeader } from '../../../src/features/loads/csv/dialect.ts'
import { readHeader, readRows } from '../../../src/features/loads/csv/rows.ts'
import { Splitter } from '../../../src/features/loads/csv/splitter.ts'

const LIMITS = { targetBytes: 1 << 12, maxRecordBytes: 1 << 20, maxRecords: 1000 }

function read(text: string) {
  const bytes = new TextEncoder().encode(text)
  const place = findHeader(bytes, true)
  if (!place) throw new Error('no header')
  const { dialect, end, nextLine } = place
  const { names } = readHeader(bytes, place)
  const splitter = new Splitter({ dialect, start: end, line: nextLine, ...LIMITS })
  const ranges = [...splitter.push(bytes.subarray(end)), ...splitter.finish()]
  return { names, dialect, rows: ranges.flatMap(range => readRows(range, dialect, names)) }
}

function annotate(text: string): string {
  const { names, dialect, rows } = read(text)
  const lines = rows.flatMap(({ cells, lines, faults }) => {
    const malformed = new Map(faults.map(fault => [fault.line, fault.malformed]))
    return cells.map((row, at) => {
      const line = lines[at] ?? 0
      return annotatedRow([String(line), 'error: said'], row, malformed.get(line), { names, dialect })
    })
  })
  return annotatedHeader(names, dialect) + lines.join('')
}

const seen = (text: string, own = 0) =>
  read(text).rows.flatMap(({ cells, lines, faults }) =>
    cells.map((row, at) => {
      const fault = faults.find(({ line }) => line === lines[at])
      // Guards and line breaks are no part of what a cell says.
      const plain = row.slice(own).map(cell => cell.replaceAll(/\r\n?/g, '\n').replaceAll("'", '').trim())
      return { cells: plain, fault: fault?.message.replaceAll(/\d+/g, '') }
    }),
  )

const piece = fc.constantFrom(',', '\n', '\n', '"', '"', '""', '",', ',"', '"\n', 'a', 'b', ' ', '=', '-1', ';', '\t')

describe('the annotated file', () => {
  it.each(['\n', '\r\n', '\r'])('has the rows and the faults of a file whose lines end in %j', lineBreak => {
    let wrong = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        const file = `a,b\nx,y\n${pieces.join('')}`.replaceAll('\n', lineBreak)
        const annotated = annotate(file)
        const faults = seen(file)
        expect(seen(annotated, 2)).toEqual(faults)
        expect(seen(annotate(annotated), 2)).toEqual(faults)
        if (faults.some(({ fault }) => fault?.includes('quote'))) wrong += 1
      }),
      { numRuns: 1500 },
    )
    expect(wrong).toBeGreaterThan(200)
  })

  it('leaves a malformed cell as it stands, in a column of its own as well, and guards what only seems to be a cell', () => {
    const file = '_issues,a\n"x"y,1\nz,2\n'
    expect(annotate(file)).toBe('_line,_issues,a\r\n2,error: said,"x"y,1\nz,2\n\r\n')
    const formulas = 'a,b\n1,"=x"y\n=1+1,"=2+2"\n'
    expect(annotate(formulas)).toBe(`_line,_issues,a,b\r\n2,error: said,1,"'=x"y\n'=1+1,"'=2+2"\r\n`)
    expect(annotate(annotate(formulas))).toBe(annotate(formulas))
  })

  const HEAD = '_line,_issues,a,b,c\n'
  const cells = (text: string) => read(HEAD + text).rows.flatMap(({ cells, faults }) => [...cells, ...faults])

  it('takes the rows that a malformed one had taken in, once that is mended', () => {
    expect(cells('2,error: x,F1,n,"x"\nF2,n,z\n3,Shirt,z\n')).toEqual([
      ['2', 'error: x', 'F1', 'n', 'x'],
      ['', '', 'F2', 'n', 'z'],
      ['', '', '3', 'Shirt', 'z'],
    ])
  })

  it.each(['2,error: The row has 1 cells,F1\n', '2,,F1\n', 'F1,n\n'])(
    'takes no ragged row for one of them: %j',
    row => {
      expect(cells(row)[1]).toMatchObject({ line: 2, message: expect.stringContaining('the header has 5') })
      expect(annotate(`${HEAD}${row}`)).toMatch(/,(?:F1|F1,n)\r\n$/)
    },
  )
})
