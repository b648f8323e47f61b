// Mistakes that people make in configurations, and what they are told: what stands there, what was expected, what to do.
import { describe, expect, it } from 'vitest'
import { readConfigurationFile } from '../../../src/features/loads/configuration/file.ts'
import { checkConfiguration } from '../../../src/features/loads/configuration/rules.ts'

/** What is said of a configuration when the load is started, each fault as `path: message`. */
function refused(configuration: Record<string, unknown>): string[] {
  const checked = checkConfiguration({ loadType: ['ITEM'], fileLocation: 'f1', ...configuration })
  return 'faults' in checked ? checked.faults.map(({ path, message }) => `${path}: ${message}`) : []
}

const column = (value: unknown) => refused({ conditionalColumns: [{ toProperty: 'a', default: value }] })
const conditional = (source: string) =>
  refused({ conditionalColumns: [{ toProperty: 'a', conditions: [{ conditional: source, value: 1 }] }] })

function fileFaults(text: string, bytes = new TextEncoder().encode(text)): string[] {
  const read = readConfigurationFile(bytes)
  return 'faults' in read ? read.faults.map(({ message }) => message) : []
}

const a = { toProperty: 'a', default: 1 }

const QUOTE = ' To have it as text, put it into quotes of its own.'

describe('mistakes in configurations (N31, N73)', () => {
  const table: [mistake: string, seen: () => string[], told: string[]][] = [
    [
      'a method that JavaScript does not have',
      () => column('{Name}.toTitleCase()'),
      [
        `/conditionalColumns/0/default: The expression is refused: the method toTitleCase() is not supported; the nearest that is supported is toLowerCase() (at character 8).${QUOTE}`,
      ],
    ],
    [
      'an expression that breaks off',
      () => column('{Name}.toUpperCase('),
      [
        `/conditionalColumns/0/default: The expression is refused: breaks off: "(" is not closed (at character 19).${QUOTE}`,
      ],
    ],
    [
      'a choice that breaks off',
      () => column("{Name} ? 'y'"),
      [
        `/conditionalColumns/0/default: The expression is refused: breaks off: ":" is missing at its end (at character 13).${QUOTE}`,
      ],
    ],
    ['a text that ends with a dash', () => column('{Name} - '), []],
    ['a reference followed by parentheses', () => column('{Name} (sample)'), []],
    [
      'braces without quotes in YAML',
      () => column({ name: null }),
      ['/conditionalColumns/0/default: This is an object, not a reference to the column name. Quote it: "{name}".'],
    ],
    [
      'one equals sign',
      () => conditional("{Name} = 'x'"),
      [
        '/conditionalColumns/0/conditions/0/conditional: The expression is refused: an assignment (to compare, use ===) is not supported (at character 8).',
      ],
    ],
    [
      'a misspelt function',
      () => column('parsInt({Price})'),
      [
        `/conditionalColumns/0/default: The expression is refused: "parsInt" is not known; did you mean parseInt? (at character 1).${QUOTE}`,
      ],
    ],
    [
      'a reference that is called',
      () => conditional('{Name}()'),
      [
        '/conditionalColumns/0/conditions/0/conditional: The expression is refused: calling a reference is not supported (at character 1).',
      ],
    ],
    [
      'a mode in capitals',
      () => refused({ mode: 'Upsert' }),
      ['/mode: "Upsert" is none of "upsert", "create", "update".'],
    ],
    ['one type instead of a list', () => refused({ loadType: 'ITEM' }), ['/loadType: Write a list: ["ITEM"].']],
    [
      'types with commas between them',
      () => refused({ loadType: 'ITEM, PROJECT_ITEM' }),
      ['/loadType: Write a list: ["ITEM", "PROJECT_ITEM"].'],
    ],
    [
      'names with nothing behind them, as YAML reads what looks like a comment',
      () => refused({ federatedMappings: { name: null }, conditionalColumns: null }),
      [
        '/federatedMappings/name: Nothing stands here: write a value, or leave the name out.',
        '/conditionalColumns: Nothing stands here: write a value, or leave the name out.',
      ],
    ],
    [
      'lists and objects the wrong way round',
      () =>
        refused({
          federatedMappings: { name: ['Style'] },
          conditionalColumns: { toProperty: 'a' },
          assortmentSplit: [],
        }),
      [
        '/federatedMappings/name: Write a single text, not a list.',
        '/conditionalColumns: Write a list: […].',
        '/assortmentSplit: Write names with a value each, not a list.',
      ],
    ],
    [
      'parts on another level than theirs',
      () => refused({ fieldToSplitOn: 'Region', conditional: 'true' }),
      [
        '/fieldToSplitOn: Unknown property. It belongs into assortmentSplit.',
        '/conditional: Unknown property. It belongs into an entry of conditions.',
      ],
    ],
    [
      'an expression that is too long',
      () => refused({ conditionalColumns: [{ ...a, conditions: [{ conditional: 'x'.repeat(10_001), value: 1 }] }] }),
      ['/conditionalColumns/0/conditions/0/conditional: Has 10001 characters; at most 10000 are taken.'],
    ],
    [
      'misspelt properties',
      () => refused({ federatedMapping: {}, dryrun: true, colour: 1, conditionalColumns: [{ ...a, condition: [] }] }),
      [
        '/conditionalColumns/0/condition: Unknown property. Did you mean "conditions"?',
        '/federatedMapping: Unknown property. Did you mean "federatedMappings"?',
        '/dryrun: Unknown property. Did you mean "dryRun"?',
        '/colour: Unknown property.',
      ],
    ],
    [
      'a property of a condition that nearly names one of the level above',
      () => refused({ conditionalColumns: [{ ...a, conditions: [{ condition: 'true', conditional: 'true' }] }] }),
      [
        '/conditionalColumns/0/conditions/0/value: Required.',
        '/conditionalColumns/0/conditions/0/condition: Unknown property. Did you mean "conditional"?',
      ],
    ],
    [
      'values of the wrong kind',
      () =>
        refused({
          loadType: ['ITEM', 5],
          fileLocation: '',
          dryRun: 'yes',
          federatedMappings: ['name'],
          conditionalColumns: [{ default: 1 }],
        }),
      [
        '/loadType/1: "5" is none of "ITEM", "PROJECT_ITEM", "ASSORTMENT", "COLOR", "CUSTOM_ENTITY", "SIZE_RANGE_TEMPLATE".',
        '/fileLocation: Must not be empty.',
        '/federatedMappings: Write names with a value each ("name": "Style"), not a list.',
        '/conditionalColumns/0/toProperty: Required.',
        '/dryRun: Write true or false, without quotes, not "yes".',
      ],
    ],
    [
      'a workspace without quotes in YAML',
      () => refused({ loadType: ['ITEM', 'PROJECT_ITEM'], workspaceIdentifier: 5 }),
      ['/workspaceIdentifier: 5 is a number, not a text: write it in quotes.'],
    ],
    [
      'a function with a body',
      () => conditional("{Color}.split('').some(x => { return x })").map(text => text.slice(0, 120)),
      [
        '/conditionalColumns/0/conditions/0/conditional: The expression is refused: an arrow function with a block body is not su',
      ],
    ],
    [
      'one = behind a method',
      () => conditional("{name}.trim() = 'x'"),
      [
        '/conditionalColumns/0/conditions/0/conditional: The expression is refused: cannot be parsed: nothing can be assigned to what stands before = (to compare, use ===) (at character 15).',
      ],
    ],
    [
      'a call of what cannot be made',
      () => conditional("new RegExp('a').test({Color})"),
      [
        '/conditionalColumns/0/conditions/0/conditional: The expression is refused: new of anything but Date is not supported (at character 1).',
      ],
    ],
    [
      'a split value without quotes in YAML',
      () =>
        refused({
          loadType: ['ITEM', 'ASSORTMENT'],
          assortmentSplit: { fieldToSplitOn: 'S', values: [{ value: true }, { value: 26 }] },
        }),
      [
        '/assortmentSplit/values/0/value: true is a boolean, not a text: write it in quotes, as it stands in the file.',
        '/assortmentSplit/values/1/value: 26 is a number, not a text: write it in quotes, as it stands in the file.',
      ],
    ],
    [
      'no split at all',
      () => refused({ loadType: ['ITEM', 'ASSORTMENT'] }),
      ['/assortmentSplit: Required when loading ASSORTMENT.'],
    ],
    [
      'a conditional without quotes in YAML',
      () => refused({ conditionalColumns: [{ ...a, conditions: [{ conditional: { name: null }, value: 1 }] }] }),
      [
        '/conditionalColumns/0/conditions/0/conditional: This is an object, not a reference to the column name. Quote it: "{name}".',
      ],
    ],
    [
      'a file in Latin-1',
      () =>
        fileFaults(
          '',
          Uint8Array.from('name: Gr\u00fc\u00dfe', letter => letter.charCodeAt(0)),
        ),
      ['The file is not UTF-8. Save it as UTF-8.'],
    ],
    [
      'YAML that is not indented well',
      () => fileFaults('loadType: [ITEM]\nfederatedMappings:\n  name: A\n itemFamilyFederatedId: B\n'),
      ['The file is not valid YAML (line 4, column 2): bad indentation of a mapping entry.'],
    ],
    ...(
      [
        ['default: {name}-{price}', 16],
        ['name: @x', 7],
        ['- @x', 3],
        ['name: a: b', 8],
      ] as const
    ).map(([yaml, at]): [string, () => string[], string[]] => [
      `YAML without quotes: ${yaml}`,
      () => fileFaults(`x: 1\ny:\n    ${yaml}\n`),
      [
        `The file is not valid YAML (line 3, column ${at + 4}): bad indentation of a mapping entry. A value with {, @ or ": " must stand in quotes.`,
      ],
    ]),
    [
      'JSON within JSON with a comma too many',
      () => fileFaults('{"a": {"b": 1,,}}'),
      ["The file is not valid JSON (line 1, column 15): expected the node content, but found ','."],
    ],
    [
      'JSON with a comma too many',
      () => fileFaults('{"loadType": ["ITEM"],\n "name": "x",,}'),
      ["The file is not valid JSON (line 2, column 14): expected the node content, but found ','."],
    ],
  ]
  it.each(table)('%s', (_, seen, told) => expect(seen()).toEqual(told))
})
