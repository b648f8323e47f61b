// Inputs that were once found to be a danger, or look like one: the start of every search for more. What a search finds is added here.
import type { Call } from './calls.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }

/** Calls whose answers were once not as the document told. */
export const CALLS: readonly [operationId: string, call: Call][] = [
  ['mcp', { path: '/mcp', headers: JSON_BODY, body: '{"jsonrpc":"2.0","method":"nobody/knows","params":{}}' }],
]

export const CORPUS = {
  /** Criteria, as jsurl, JSON and what is near to them. */
  criteria: [
    "~(name~'linen)",
    '{name: "x"}',
    '{"a":{"gt":1}}',
    '~(a~(gt~1))',
    '~(a~~b)',
    "~'*",
    '~(~(~(~(~(~(~(~(~(~1)))))))))',
    '{"or":[{"a":1},{"b":null}]}',
    '{"name":"BETWEEN 2020-01-01 and 2020-13-01"}',
    '{"__proto__":{"a":1}}',
    '{"constructor":"x"}',
    '{"a":{"contains":"%_\\\\"}}',
    '{"a":1e999}',
    '{"a":9007199254740993}',
    '{"a":"\\ud800"}',
    '{"":""}',
    '[]',
    'null',
    '~nullx',
    '{"name":["a",["b"]]}',
  ],
  /** Conditionals and values. */
  expressions: [
    "{a} === 'x'",
    '{a}.length > 3',
    '/^(a+)+$/.test({a})',
    '[...{a}].map(x => x + x).join()',
    '{a}.constructor',
    '`$' + '{{a}}`',
    '(() => { while (true) {} })()',
    "{a}['__proto__']",
    'JSON.parse({a})',
    "'x'.repeat(1e9)",
    'new Date({a}).getTime()',
    '{a}{b}',
    '{',
    '}{',
    'this',
    'globalThis',
    'Array(1e9).fill(0)',
    '{a}?.b?.[0]??1',
    'typeof {a}',
    '0x1F+1e3',
  ],
  /** Loader configurations in YAML. */
  configurations: [
    'loadType: [COLOR]',
    'loadType: [COLOR]\nfederatedMappings: {name: Name}\n',
    'a: &a [x]\nb: [*a, *a, *a]\nloadType: *a',
    '{"loadType": ["COLOR"]}',
    '!!js/function "function(){}"',
    '<<: *nothing',
    '? [complex]\n: key',
    'loadType:\n\t- COLOR',
    '--- a\n--- b',
    'loadType: [COLOR]\nconditionalColumns: [{toProperty: name, default: "{federatedId}"}]',
    '%YAML 9.9\n---\nloadType: [COLOR]',
    'null',
    '~',
  ],
  /** Colors. */
  csv: [
    'federatedId,name\nc1,Red\n',
    '\ufefffederatedId;name\r\nc1;"Re""d"\r\n',
    'federatedId,name\nc1\n',
    'federatedId,federatedId\na,b\n',
    'federatedId,name\n"c1,Red\n',
    'federatedId\tname\nc1\t=1+1\n',
    'federatedId,__proto__\nc1,x\n',
    'federatedId,name\nc1,\u0000\n',
    '\n\n\n',
    ',,,\n,,,\n',
    'federatedId,hex\nc1,#zzz\n',
    'federatedId,red,green,blue\nc1,1e400,-1,NaN\n',
  ],
} as const
