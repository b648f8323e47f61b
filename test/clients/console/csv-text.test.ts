// Files that the console makes: what strangers typed (an email at a failed sign-in) stands in them as text.
import { expect, it } from 'vitest'
import { csvText } from '../../../src/clients/console/state/csv-text.ts'

it('quotes what would break a cell, and tells formulas as text', () => {
  expect(csvText([['a', 'b,c', 'say "hi"', 'two\nlines']])).toBe('a,"b,c","say ""hi""","two\nlines"\r\n')
  expect(csvText([['=HYPERLINK("x")', '+1+2', '@x', '＝x', '1=1']])).toBe(`"'=HYPERLINK(""x"")",'+1+2,'@x,'＝x,1=1\r\n`)
  expect(csvText([['-5', '+4.5', '-1e3']])).toBe('-5,+4.5,-1e3\r\n')
})
