// The page of each error code as Markdown (N82), and the table of all codes for the guide on errors.
import { type Code, Fault } from '../../platform/errors.ts'
import { CODES, problemBody, statusOf, titleOf } from '../../platform/http/problem.ts'
import { ERROR_TEXTS } from './error-texts.ts'

const REQUEST_ID = 'f2Gk9TsW0bRnY6uE'

export const ERROR_PAGES = CODES.map(code => ({ name: `errors/${code}`, text: pageOf(code) }))

function pageOf(code: Code): string {
  const { cause, remedy, retry, example } = ERROR_TEXTS[code]
  const { call, detail, errors, headers } = example
  const problem = problemBody(new Fault(code, detail, { ...(errors && { errors }) }), REQUEST_ID)
  return `# ${titleOf(code)}

\`${code}\` · HTTP status ${statusOf(code)} · ${retry === 'later' ? 'The same call may succeed later.' : 'Repeating the same call does not help.'}

## Cause

${cause}

## Remedy

${remedy}

## Example

\`\`\`http
${call}
\`\`\`

\`\`\`json
${JSON.stringify(problem, null, 2)}
\`\`\`
${headers ? `\nThe answer also has the header \`${headers}\`.\n` : ''}
All codes: [Errors](/docs/errors).
`
}

export const CODE_TABLE = [
  '| Code | Status | Meaning | Repeat |',
  '|---|---|---|---|',
  ...CODES.map(code => {
    const repeat = ERROR_TEXTS[code].retry === 'later' ? 'later' : 'after a change'
    return `| [\`${code}\`](/docs/errors/${code}) | ${statusOf(code)} | ${titleOf(code)} | ${repeat} |`
  }),
  '',
].join('\n')
