// Shell completion. The script asks the command itself, so that it never falls behind it.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { completionsOf, SHELLS } from '../complete.ts'
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

const FISH = `function __selvedge_complete
  set -l before (commandline -opc)
  set -l typed (commandline -ct)
  selvedge __complete -- $before[2..-1] "$typed" 2>/dev/null
end
complete -c selvedge -n 'count (__selvedge_complete) >/dev/null' -f -a '(__selvedge_complete)'
`

const POWERSHELL = `Register-ArgumentCompleter -Native -CommandName selvedge -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  selvedge __complete -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL }

export function addCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('Print a completion script for your shell.')
    .argument('<shell>', SHELLS.join(', '))
    .addHelpText(
      'after',
      examples(
        'selvedge completion bash >> ~/.bashrc',
        'selvedge completion zsh > ~/.zfunc/_selvedge',
        'selvedge completion fish > ~/.config/fish/completions/selvedge.fish',
        'selvedge completion powershell >> $PROFILE',
      ),
    )
    .action((shell: string) => {
      const script = SCRIPTS[shell]
      if (script === undefined) throw usage(`There is no completion for ${shell}.`, `Give one of ${SHELLS.join(', ')}.`)
      cli.world.stdout.write(script)
    })

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { profiles } = await readProfiles(cli.world)
      for (const each of completionsOf(program, words, Object.keys(profiles))) cli.world.stdout.write(`${each}\n`)
    })
}
