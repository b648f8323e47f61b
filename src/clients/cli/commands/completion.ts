// Shell completion. The script asks the command itself, so that it never falls behind it.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { completionsOf } from '../complete.ts'
import { usage } from '../failure.ts'
import { readProfiles } from '../profiles.ts'

const BASH = `_selvedge() {
  local IFS=$'\\n'
  COMPREPLY=($(selvedge __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _selvedge selvedge
`

const ZSH = `#compdef selvedge
_selvedge() {
  local -a found
  found=(\${(f)"$(selvedge __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
if [[ "\${funcstack[1]}" = "_selvedge" ]]; then _selvedge "$@"; else compdef _selvedge selvedge; fi
`

export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('Print a completion script for your shell.')
    .argument('<shell>', 'bash or zsh')
    .addHelpText(
      'after',
      examples('selvedge completion bash >> ~/.bashrc', 'selvedge completion zsh > ~/.zfunc/_selvedge'),
    )
    .action((shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh') throw usage(`There is no completion for ${shell}.`, 'Give bash or zsh.')
      cli.world.stdout.write(shell === 'bash' ? BASH : ZSH)
    })

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { profiles } = await readProfiles(cli.world)
      for (const each of completionsOf(program, words, Object.keys(profiles))) cli.world.stdout.write(`${each}\n`)
    })
}
