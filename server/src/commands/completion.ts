import { Argument, type Command } from 'commander'
import { completionScript, shells } from './completion-script.ts'
import { printResult } from './frame/print-result.ts'

export function registerCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the completion of commands, options and their values for a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  makola completion bash > /etc/bash_completion.d/makola
  makola completion zsh > "\${fpath[1]}/_makola"
  makola completion fish > ~/.config/fish/completions/makola.fish`,
    )
    .action((shell: (typeof shells)[number]) => {
      const script = completionScript(shell, program)
      printResult({ shell, script }, script.trimEnd())
    })
}
