// The audit trail as a file: taken out with a digest on every line, and verified later, by anybody and without the service.
import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { type ChainHead, headIn, headText, verifyChain } from '../../../platform/formats/audit-chain.ts'
import type { AuditExport, AuditExportArgs } from '../../typescript/index.ts'
import { linesOf } from '../../typescript/lines.ts'
import { type Cli, examples } from '../cli.ts'
import { Failure, usage } from '../failure.ts'
import { wholeNumber } from '../input.ts'
import { contentOf, writeContent } from '../whole-file.ts'

interface ExportFlags {
  out?: string
  format: string
  after?: string
  org?: string
  operator?: boolean
}

export function addAudit(program: Command, cli: Cli): void {
  const audit = program
    .command('audit')
    .description('The audit trail as a file whose lines are chained: take it out, verify it.')
    .addHelpText('after', examples('selvedge audit export --out audit.jsonl', 'selvedge audit verify audit.jsonl'))

  audit
    .command('export')
    .description(
      'Write the audit trail of the organization, oldest line first; for admins. With --operator by the operator key.',
    )
    .option('-o, --out <path>', 'where to write it (default: stdout)')
    .option('--format <format>', 'jsonl, or csv for spreadsheets, which cannot be verified', 'jsonl')
    .option('--after <number>', 'only lines behind this number')
    .option('--operator', 'acts of operators that outlive their organization')
    .option('--org <slug>', 'with --operator: the trail of this organization')
    .option('--base-url <url>', 'with --operator: address of the service')
    .addHelpText(
      'after',
      examples(
        'selvedge audit export --out audit.jsonl',
        'selvedge audit export --operator --org demo --out demo-audit.jsonl',
      ),
    )
    .action(async (flags: ExportFlags, command: Command) => {
      const { format } = flags
      if (format !== 'csv' && format !== 'jsonl') throw usage(`There is no format ${format}.`, 'Write jsonl or csv.')
      const after = flags.after === undefined ? undefined : wholeNumber('--after', flags.after)
      const { head, response } = await exported(cli, command, flags, { format, after, signal: cli.world.signal })
      await writeContent(cli.world, contentOf(response), flags.out)
      const where = flags.out === undefined ? '' : `Written to ${flags.out}. `
      cli.output(command).note(`${where}Head: ${headText(head)}`)
      cli.output(command).note('Keep the head in another place than the file: it shows what is missing at the end.')
    })

  audit
    .command('verify')
    .description(
      'Tell the first line of an exported trail that was changed, removed or inserted. Needs no service and no key.',
    )
    .argument('<file>', 'JSON lines, as `selvedge audit export` writes them')
    .option('--head <number:digest>', 'a head of this or an earlier export; may be given several times', collected, [])
    .addHelpText(
      'after',
      examples('selvedge audit verify audit.jsonl', 'selvedge audit verify audit.jsonl --head 57:DIGEST'),
    )
    .action(async (file: string, flags: { head: string[] }, command: Command) => {
      const heads = flags.head.map(headOf)
      const content = (await open(file)).createReadStream()
      const { fault, first, head, lines: count } = await verifyChain(linesOf(content), heads)
      if (fault) {
        throw new Failure({
          what: `Line ${fault.line} of ${file}: ${fault.message}`,
          why: `The ${count} lines before it are whole.`,
          todo: 'Compare with another export, or with a backup, before you rely on this file.',
          data: { ...fault },
        })
      }
      const result = { lines: count, first: first?.number ?? 0, head: headText(head), heads: flags.head.length }
      cli
        .output(command)
        .result(result, () => [
          `${count} lines, from number ${result.first} on: none was changed, removed or inserted.`,
          `Head: ${result.head}`,
        ])
      if (flags.head.length === 0) {
        cli
          .output(command)
          .note('Lines missing at the end would not show: give --head with the head that the export told.')
      }
    })
}

async function exported(cli: Cli, command: Command, flags: ExportFlags, args: AuditExportArgs): Promise<AuditExport> {
  if (flags.operator)
    return (await cli.operator(command)).exportAudit({ ...args, ...(flags.org && { slug: flags.org }) })
  if (flags.org !== undefined)
    throw usage('--org goes with --operator.', 'Leave it out: your own organization is meant.')
  return cli.person(command, client => client.people.exportAudit(args))
}

const collected = (text: string, before: string[]) => [...before, text]

function headOf(text: string): ChainHead {
  const head = headIn(text)
  if (!head) throw usage(`"${text}" is no head.`, 'Write number:digest, as the export told it.')
  return head
}
