// Mistakes that people make in cells, and what they are told: the value, what was expected, what to do.
import { describe, expect, it } from 'vitest'
import type { Types } from './load.ts'
import { KEY, said } from './said.ts'

const TYPES: Types = {
  item: [
    { slug: 'price', label: 'Retail Price', propertyType: 'number' },
    { slug: 'launch', label: 'Launch', propertyType: 'date' },
    { slug: 'active', label: 'Active', propertyType: 'boolean' },
    { slug: 'page', label: 'Page', propertyType: 'url' },
    { slug: 'data', label: 'Data', propertyType: 'json' },
    { slug: 'shade', label: 'Shade', level: 'option' },
    {
      slug: 'size',
      label: 'Size',
      propertyType: 'choice',
      options: [
        { value: 's', label: 'Small' },
        { value: 'm', label: 'Medium' },
      ],
    },
    {
      slug: 'sizes',
      label: 'Sizes',
      propertyType: 'multi_select',
      options: [
        { value: 's', label: 'Small' },
        { value: 'm', label: 'Medium' },
      ],
    },
    { slug: 'old', label: 'Old', archived: true },
    { slug: 'must', label: 'Must', required: true },
  ],
}

const cell = (column: string, value: string) =>
  said(`${KEY},${column}\nF1,"${value.replaceAll('"', '""')}"\n`, {}, TYPES)

type Mistake = [mistake: string, seen: () => string[], told: string[]]

describe('mistakes in cells (N30, N72)', () => {
  const table: Mistake[] = [
    ['an archived property', () => cell('old', 'x'), ['1 old: The property is archived; the column is left out.']],
    [
      'a decimal comma',
      () => cell('price', '12,50'),
      ['2 price: "12,50" is not a number such as 12.5. Write the decimals behind a point.'],
    ],
    [
      'thousands',
      () => cell('price', '1,250.00'),
      ['2 price: "1,250.00" is not a number such as 12.5. Write it without separators of thousands.'],
    ],
    ...[
      ['12\u00a0000', '12<U+00A0>000'] as const,
      ['12\u202f000', '12<U+202F>000'] as const,
      ['12 000', '12 000'] as const,
    ].map(
      ([value, shown]): Mistake => [
        `thousands parted by a space (${value.charCodeAt(2)})`,
        () => cell('price', value),
        [`2 price: "${shown}" is not a number such as 12.5. Write it without separators of thousands.`],
      ],
    ),
    ...['1e3', '1.0E+05'].map(
      (value): Mistake => [
        `an exponent (${value})`,
        () => cell('price', value),
        [`2 price: "${value}" is not a number such as 12.5. Write it without an exponent.`],
      ],
    ),
    [
      'thousands as programmers write them',
      () => cell('price', '1_000'),
      ['2 price: "1_000" is not a number such as 12.5. Write it without "_".'],
    ],
    [
      'a currency',
      () => cell('price', '€ 12'),
      ['2 price: "€ 12" is not a number such as 12.5. Write the number alone, without unit or sign of currency.'],
    ],
    [
      'more digits than a number has',
      () => cell('price', '12345678901234567890'),
      [
        '2 price: "12345678901234567890" has more digits than a number can keep. Round it, or make the property a text.',
      ],
    ],
    [
      'digits that end in a nought, which the API would not take back',
      () => cell('price', '90071992547409940'),
      ['2 price: "90071992547409940" has more digits than a number can keep. Round it, or make the property a text.'],
    ],
    ...['31.01.2026', '1/31/2026'].map(
      (value): Mistake => [
        `a date in the order of another country (${value})`,
        () => cell('launch', value),
        [
          `2 launch: "${value}" is not a date such as 2026-01-31. Write the year, the month and the day, with - between them.`,
        ],
      ],
    ),
    [
      'a day as Excel counts them',
      () => cell('launch', '46054'),
      [
        '2 launch: "46054" is not a date such as 2026-01-31. It may be a day as Excel counts them: format the column as yyyy-mm-dd.',
      ],
    ],
    [
      'a sign that nobody sees before a number',
      () => cell('price', '\u200b5'),
      ['2 price: "<U+200B>5" is not a number such as 12.5. Take the invisible character out.'],
    ],
    ...['5-', '(5)'].map(
      (value): Mistake => [
        `a negative number as accountants write it (${value})`,
        () => cell('price', value),
        [`2 price: "${value}" is not a number such as 12.5. Write "-" before it.`],
      ],
    ),
    ['yes for true', () => cell('active', 'yes'), ['2 active: "yes" is neither true nor false.']],
    [
      'an address without https',
      () => cell('page', 'example.com'),
      ['2 page: "example.com" is not an http or https address.'],
    ],
    [
      'numbers in JSON that would be rounded',
      () => cell('data', '{"a":[0.1000000000000000055],"b":1}'),
      [
        '2 data: "{"a":[0.1000000000000000055],"b":1}" cannot be kept as JSON: /a/0: The number has more digits than can be kept.',
      ],
    ],
    [
      'a number in JSON that is too small',
      () => cell('data', '1e-400').map(told => told.slice(-29)),
      ['more digits than can be kept.'],
    ],
    [
      'no mistake: numbers in JSON as programs write them',
      () => cell('data', '[0.30000000000000004,1E5,1.50,-0.0,5e-324,1.5e+300]'),
      [],
    ],
    [
      'JSON with single quotes',
      () => cell('data', "{'a': 1}"),
      [`2 data: "{'a': 1}" is not JSON. A text in JSON stands in double quotes.`],
    ],
    [
      'an unknown option',
      () => cell('size', 'Large'),
      ['2 size: "Large" is no option of Size, which has "Small" ("s"), "Medium" ("m"); the cell is left out.'],
    ],
    [
      'an option that looks like one there is',
      () => cell('size', 'Small\u200b'),
      ['2 size: "Small<U+200B>" is no option of Size, which has "Small" ("s"), "Medium" ("m"); the cell is left out.'],
    ],
    [
      'several options with commas between them',
      () => cell('sizes', 'Small,Medium'),
      [
        '2 sizes: "Small,Medium" is no option of Sizes, which has "Small" ("s"), "Medium" ("m"); the cell is left out. Several are written with | between them.',
      ],
    ],
    [
      'an empty cell that is required',
      () => cell('must', ''),
      ['2 must: The type requires a value; this cell is empty.'],
    ],
    [
      'an option property on a family',
      () => cell('shade', 'red'),
      ['2 shade: The property belongs to options; this row is a family.'],
    ],
  ]
  it.each(table)('%s', (_, seen, told) => expect(seen()).toEqual(told))
})
