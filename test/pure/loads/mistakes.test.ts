// Mistakes that people make in files, and what they are told: the value, what was expected, what to do. Those in cells and in
// configurations stand beside this; together they are more than forty.
import { describe, expect, it } from 'vitest'
import type { LoaderConfiguration } from '../../../src/features/loads/contract.ts'
import type { Types } from './load.ts'
import { KEY, said } from './said.ts'

const OPTION_KEY = 'itemOptionFederatedId'

const PRICED: Types = { item: [{ slug: 'price', label: 'Retail Price', propertyType: 'number' }] }

const split = { fieldToSplitOn: 'Season', values: [{ value: 'SS26', assortmentId: 'A1' }] }
const season: Partial<LoaderConfiguration> = { loadType: ['ITEM', 'ASSORTMENT'], assortmentSplit: split }

type Mistake = [mistake: string, seen: () => string[] | Promise<string[]>, told: string[]]

describe('mistakes in files (N30, N72)', () => {
  const table: Mistake[] = [
    [
      'an Excel workbook',
      () => said(new Uint8Array([0x50, 0x4b, 3, 4, 20, 0])),
      [
        '1 -: This is an Excel workbook, not a CSV file. Save the sheet as "CSV UTF-8", or give the workbook to the command line, which converts it, or to the console.',
      ],
    ],
    [
      'Latin-1',
      () => said(new Uint8Array([...new TextEncoder().encode(`${KEY},name\nF1,Caf`), 0xe9, 0x0a])),
      [
        '2 -: The file is not UTF-8: this line has bytes of another encoding, as files of Excel\'s plain "CSV" have. Save it as "CSV UTF-8".',
      ],
    ],
    [
      'UTF-16',
      () => said(new Uint8Array([0xff, 0xfe, 0x61, 0])),
      ['1 -: The file is UTF-16 ("Unicode Text" in Excel). Save it as "CSV UTF-8".'],
    ],
    [
      'a table parted by |',
      () => said(`${KEY}|name\nF1|A\n`),
      ['1 -: The header seems to be parted by "|". Use a comma, a semicolon or a tab.'],
    ],
    [
      'a first line that names another delimiter than the header has',
      () => said(`sep=;\n${KEY},name\nF1,A\n`),
      ['2 -: The first line names ";", but the header has ",". Name that, or remove the line.'],
    ],
    [
      'a page of a website',
      () => said('<!doctype html>\n<title>Sign in</title>\n'),
      ['1 -: This is HTML, not a CSV file. Save the table in it as "CSV UTF-8".'],
    ],
    ['sep=; on the first line', () => said(`sep=;\n${KEY};name\nF1;A,B\n`), []],
    ['a delimiter at the end of each line', () => said(`${KEY},name,\nF1,A,\n`), []],
    [
      'a value in a column without a name',
      () => said(`${KEY},name,\nF1,A,x\n`),
      ['2 -: The row has "x" in column 3, which has no name. Name the column, or clear it.'],
    ],
    [
      'a comma in a cell without quotes',
      () => said(`${KEY},name\nF1,Shirt, blue\n`),
      ['2 -: The row has 3 cells, the header has 2. A cell that holds the delimiter must stand in quotes.'],
    ],
    [
      'a title above the header',
      () => said(`Spring 2027\n${KEY},a\n`).slice(-1),
      [
        '2 -: The row has 2 cells, the header has 1. If the first line is a title, remove it: the header must be the first line.',
      ],
    ],
    [
      'a missing cell',
      () => said(`${KEY},name,x\nF1,A\n`),
      ['2 -: The row has 2 cells, the header has 3. Fill it up with delimiters.'],
    ],
    [
      'a quote that is never closed',
      () => said(`${KEY},name\nF1,"A\nF2,B\n`),
      ['2 -: A quote opens in this row and is never closed. Close it, or remove it.'],
    ],
    [
      'a repeated header',
      () => said(`${KEY},a,a\n`),
      ['1 a: Column 3 repeats the name "a" of column 2. Rename or remove one of them.'],
    ],
    [
      'no key column',
      () => said('Style,Title\nS1,A\n'),
      [
        '1 itemFamilyFederatedId: The file has no column itemFamilyFederatedId, and no mapping makes one. It has "Style", "Title".',
        '2 itemFamilyFederatedId: Every row needs itemFamilyFederatedId; this cell is empty.',
      ],
    ],
    [
      'a key column in another spelling',
      () => said('Item Family Federated Id\nS1\n').slice(0, 2),
      [
        '1 Item Family Federated Id: This column is not taken for itemFamilyFederatedId: call it itemFamilyFederatedId exactly, or map it.',
        '1 itemFamilyFederatedId: The file has no column itemFamilyFederatedId, and no mapping makes one. It has "Item Family Federated Id". Did you mean "Item Family Federated Id"?',
      ],
    ],
    [
      'a header in capitals',
      () => said('federatedId,HEX\nc1,#ff0000\n', { loadType: ['COLOR'] }),
      ['1 HEX: This column is not taken for hex: call it hex exactly, or map it.'],
    ],
    [
      'a header in capitals, where the type describes other columns',
      () => said('federatedId,HEX\nc1,#ff0000\n', { loadType: ['COLOR'] }, { color: [{ slug: 'shade' }] }),
      ['1 HEX: This column is not taken for hex: call it hex exactly, or map it.'],
    ],
    [
      'a declared name in another spelling',
      () => said(`${KEY},IDENTIFIER,Roles\nF1,a,b\n`, {}, { 'item:shirt': [{ slug: 'tasks', label: 'Roles' }] }),
      ['1 IDENTIFIER: This column is not taken for identifier: call it identifier exactly, or map it.'],
    ],
    [
      'a declared name in another spelling, where the type describes other columns',
      () => said(`${KEY},Roles\nF1,a\n`, {}, { item: [{ slug: 'price' }] }),
      [
        '1 Roles: This column is not taken for roles: call it roles exactly, or map it.',
        '1 Roles: The type item has no such property; the column is left out.',
      ],
    ],
    [
      'a type for a column that is not there',
      () => said(`${KEY},prize\nF1,1\n`, { columnTypes: { price: 'number' } }),
      ['1 price: There is no column "price" to read. Did you mean "prize"?'],
    ],
    [
      'a made column in another spelling',
      () => said(`${KEY}\nF1\n`, { conditionalColumns: [{ toProperty: 'typepath', default: 'item:shirt' }] }),
      ['1 typepath: This column is not taken for typePath: call it typePath exactly, or map it.'],
    ],
    [
      'a mapping to a column that differs in case',
      () => said(`${KEY},Style Name\nF1,A\n`, { federatedMappings: { name: 'Style name' } }),
      ['1 name: No column "Style name"; every row gets this text. Did you mean "Style Name"?'],
    ],
    [
      'a key mapped from a column that differs in case',
      () => said('Style Number\nS1\n', { federatedMappings: { [KEY]: 'style number' } }).slice(0, 1),
      [`1 ${KEY}: There is no column "style number", but there is "Style Number". Map ${KEY} to it.`],
    ],
    [
      'a misspelt column to remove',
      () => said(`${KEY},Comment\nF1,x\n`, { propertiesToRemove: ['Coment'] }),
      ['1 Coment: There is no column "Coment" to remove. Did you mean "Comment"?'],
    ],
    [
      'a key that is removed',
      () => said('Style\nF1\n', { federatedMappings: { [KEY]: 'Style' }, propertiesToRemove: [KEY] }).slice(0, 1),
      [`1 ${KEY}: The load needs the column ${KEY}, which propertiesToRemove takes away.`],
    ],
    [
      'a column that is removed and referred to',
      () =>
        said(`${KEY},Color\nF1,x\n`, {
          propertiesToRemove: ['Color'],
          conditionalColumns: [{ toProperty: 'a', fromProperty: 'Color' }],
        }),
      ['1 a: The column "Color" is taken away by propertiesToRemove before it is referred to.'],
    ],
    [
      'a key made of a column that is removed, in another spelling',
      () =>
        said(`${KEY},Style Number\nF1,S1\n`, {
          propertiesToRemove: ['Style Number'],
          conditionalColumns: [{ toProperty: OPTION_KEY, default: '{style number}-1' }],
        }),
      [
        `1 ${OPTION_KEY}: There is no column "style number", and propertiesToRemove takes "Style Number" away. Refer to one that is left.`,
      ],
    ],
    [
      'a header with a space that is none',
      () => said('Style\u00a0Number\nS1\n', { federatedMappings: { [KEY]: 'Style Number' } }).slice(0, 1),
      [`1 ${KEY}: There is no column "Style Number", but there is "Style<U+00A0>Number". Map ${KEY} to it.`],
    ],
    [
      'no key at all, and some columns removed',
      () =>
        said('Style No,Style,Color\nS1,Shirt,red\n', {
          federatedMappings: { name: 'Style' },
          propertiesToRemove: ['Style No', 'Style'],
        }).slice(0, 1),
      [`1 ${KEY}: The file has no column ${KEY}, and no mapping makes one. It has "Style No", "Style", "Color".`],
    ],
    [
      'a type for a column that the type defines otherwise',
      () =>
        said(
          `${KEY},Retail Price\nF1,5\n`,
          { columnTypes: { 'Retail Price': 'string' } },
          {
            item: [{ slug: 'price', label: 'Retail Price', propertyType: 'currency' }],
          },
        ),
      ['1 Retail Price: columnTypes is not used for this column: the type item defines it as currency.'],
    ],
    [
      'the same type for it',
      () =>
        said(
          `${KEY},price\nF1,5\n`,
          { columnTypes: { price: 'currency' } },
          {
            item: [{ slug: 'price', propertyType: 'currency' }],
          },
        ),
      [],
    ],
    [
      'a misspelt fromProperty',
      () => said(`${KEY},Colour\nF1,x\n`, { conditionalColumns: [{ toProperty: 'a', fromProperty: 'Color' }] }),
      ['1 a: There is no column "Color" to refer to. Did you mean "Colour"?'],
    ],
    [
      'a misspelt fromProperty, of a column that is removed',
      () =>
        said(`${KEY},Colour\nF1,x\n`, {
          propertiesToRemove: ['Colour'],
          conditionalColumns: [{ toProperty: 'a', fromProperty: 'Color' }],
        }),
      ['1 a: There is no column "Color" to refer to. Did you mean "Colour"?'],
    ],
    [
      'a misspelt fromProperty for a key',
      () =>
        said('Style Number\nS1\nS2\n', {
          conditionalColumns: [{ toProperty: KEY, fromProperty: 'Style number' }],
        }).slice(0, 2),
      [
        `1 ${KEY}: There is no column "Style number", but there is "Style Number". Refer to it.`,
        `2 ${KEY}: Every row needs ${KEY}; this cell is empty.`,
      ],
    ],
    [
      'a text that is read as arithmetic',
      () => said(`${KEY},Blend\nF1,wool\n`, { conditionalColumns: [{ toProperty: 'z', default: '100% {Blend}' }] }),
      ['2 z: The expression for z gives no finite number; a text stands in quotes of its own.'],
    ],
    [
      'a name that nobody may use',
      () => said(`${KEY},a\nF1,constructor\n`, { conditionalColumns: [{ toProperty: 'z', default: '({b: 1})[{a}]' }] }),
      ['2 z: The expression for z uses the name "constructor", which is not supported.'],
    ],
    [
      'a misspelt fieldToSplitOn',
      () => said(`${KEY},Seasson\nF1,SS26\n`, season),
      [
        `1 Season: The file has no column Season, and no mapping makes one. It has "${KEY}", "Seasson". Did you mean "Seasson"?`,
      ],
    ],
    [
      'a split value that nobody has named',
      () => said(`${KEY},Season\nF1,SS 26\n`, season),
      ['2 Season: No split value is "SS 26"; the row goes to no assortment. Did you mean "SS26"?'],
    ],
    [
      'yes for true in a partial update',
      () =>
        said(`${KEY},Season,add,drop\nF1,SS26,yes,\nF2,SS26,TRUE,1\nF3,SS26,,false\n`, {
          ...season,
          assortmentSplit: { ...split, partialAssortmentUpdate: true, addField: 'add', dropField: 'drop' },
        }),
      ['2 add: "yes" is not true; the row is not added.', '3 drop: "1" is not true; the row is not dropped.'],
    ],
    [
      'a split value as long as a cell',
      () => said(`${KEY},Season\nF1,${'x'.repeat(5000)}\n`, season),
      [`2 Season: No split value is "${'x'.repeat(60)}…"; the row goes to no assortment.`],
    ],
    [
      'a federatedId as long as a cell, twice',
      () => said(`federatedId\n${'k'.repeat(5000)}\n${'k'.repeat(5000)}\n`, { loadType: ['COLOR'] }).slice(2),
      [`3 federatedId: The federatedId ${'k'.repeat(983)}…`],
    ],
    [
      'a column that the type does not know',
      () => said(`${KEY},Retail Prize\nF1,1\n`, {}, PRICED),
      ['1 Retail Prize: The type item has no such property; the column is left out. Did you mean "Retail Price"?'],
    ],
    ['a column that was mapped away', () => said('Style\nS1\n', { federatedMappings: { [KEY]: 'Style' } }, PRICED), []],
    [
      'two columns for one property, which say something else',
      () =>
        said(
          `${KEY},itemOptionFederatedId,fit,fitOption,fitFamily\nF1,,a,,b\nF1,O1,c,d,b\nF1,O2,c,e,b\nF1,O3,,c,b\nF1,O4,c,,b\n`,
          {},
          { item: [{ slug: 'fit', level: 'override' }] },
        ),
      ['2 fit: fitFamily is used instead of this column.', '3 fit: fitOption is used instead of this column.'],
    ],
    [
      'one column for a property whose name every object has',
      () =>
        said(
          `${KEY},itemOptionFederatedId,toStringFamily\nF1,O1,a\n`,
          {},
          { item: [{ slug: 'toString', level: 'override' }] },
        ),
      [],
    ],
    [
      'the same option twice',
      () => said(`${KEY},itemOptionFederatedId\nF1,O1\nF1,O1\n`),
      ['3 itemOptionFederatedId: The option O1 stands on line 2 already. Keep one of the rows.'],
    ],
    [
      'an option that is its own family',
      () => said(`${KEY},itemOptionFederatedId\nF1,F1\n`).slice(0, 1),
      [
        `2 itemOptionFederatedId: "F1" is named as its own family. Leave itemOptionFederatedId empty on a family's row.`,
      ],
    ],
    [
      'a type path of another entity',
      () => said(`${KEY},typePath\nF1,shirt\n`),
      ['2 typePath: "shirt" is no type path of items: it must be item, or begin with item:.'],
    ],
  ]
  it.each(table)('%s', async (_, seen, told) => expect(await seen()).toEqual(told))
})
