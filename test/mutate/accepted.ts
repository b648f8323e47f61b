// Mutants that survive and may: what is changed, in which file, and why no test can or should notice it. The text of `change` is
// as the command prints it, so that an entry lives as long as the line does.

export interface Accepted {
  file: string
  change: string
  reason: string
}

export const ACCEPTED: readonly Accepted[] = [
  {
    file: 'src/features/loads/drafts/assortment-split.ts',
    change: "if (!table.isPartial) return 'add' → ; in if (!table.isPartial) return 'add'",
    reason:
      'Equivalent: a configuration that is not partial has neither field (rules.ts refuses it), and then every row adds.',
  },
]
