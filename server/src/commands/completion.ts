import { Argument, type Command, type Option } from 'commander'
import { printResult } from './frame/print-result.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

/** A place on the command line, such as after `makola order list`, and the words that may follow. */
type CommandPosition = {
  /** The words before it, each after a space; empty right after `makola`. */
  path: string
  commands: { name: string; about: string }[]
  options: { long: string; about: string; takesValue: boolean; choices: readonly string[] }[]
  /** The allowed words of the first argument. */
  choices: readonly string[]
}

function viewOption(option: Option): CommandPosition['options'] {
  if (option.long === undefined || option.long === null) return []
  const takesValue = option.required || option.optional
  return [{ long: option.long, about: option.description, takesValue, choices: option.argChoices ?? [] }]
}

function listPositions(command: Command, path: string, shared: CommandPosition['options']): CommandPosition[] {
  const own: CommandPosition = {
    path,
    commands: command.commands.map((each) => ({ name: each.name(), about: each.description() })),
    options: [...command.options.flatMap(viewOption), ...shared],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }
  return [own, ...command.commands.flatMap((each) => listPositions(each, `${path} ${each.name()}`, shared))]
}

/** Quoted for bash and zsh: descriptions hold apostrophes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Branches of a `case`: for each option with choices its choices, and `pass` for options that take any text. */
function valueBranches(places: readonly CommandPosition[], offer: (choices: readonly string[]) => string, pass: string): string {
  const branches = places.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => `    ${quoted(`${path}:${long}`)}) ${choices.length > 0 ? offer(choices) : pass}; return ;;`),
  )
  return branches.join('\n')
}

const pathPattern = (places: readonly CommandPosition[]) =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|')

function bashScript(places: readonly CommandPosition[]): string {
  const offer = (words: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current"))`
  const words = places.map(({ path, commands, options, choices }) => {
    const all = [...commands.map(({ name }) => name), ...choices, ...options.map(({ long }) => long)]
    return `    ${quoted(path)}) ${offer(all)} ;;`
  })
  return `# bash completion of makola
_makola() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" place='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$place $word" in ${pathPattern(places)}) place="$place $word" ;; esac
  done
  case "$place:$previous" in
${valueBranches(places, offer, 'COMPREPLY=($(compgen -f -- "$current"))')}
  esac
  case "$place" in
${words.join('\n')}
  esac
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _makola makola
`
}

/** In zsh, a colon separates a word from its description. */
const described = (word: string, about: string) => quoted(`${word.replaceAll(':', '\\:')}:${about}`)

function zshScript(places: readonly CommandPosition[]): string {
  const entries = places.map(({ path, commands, options, choices }) => {
    const all = [
      ...commands.map(({ name, about }) => described(name, about)),
      ...choices.map((choice) => quoted(choice)),
      ...options.map(({ long, about }) => described(long, about)),
    ]
    return `    ${quoted(path)}) entries=(${all.join(' ')}) ;;`
  })
  return `#compdef makola
_makola() {
  local place='' word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in ${pathPattern(places)}) place="$place $word" ;; esac
  done
  case "$place:\${words[CURRENT-1]}" in
${valueBranches(places, (choices) => `compadd -- ${choices.map(quoted).join(' ')}`, '_files')}
  esac
  case "$place" in
${entries.join('\n')}
  esac
  _describe makola entries || _files
}
# As a file of fpath this is the function's own body; sourced, it only names it.
if [ "$funcstack[1]" = _makola ]; then _makola "$@"; else compdef _makola makola; fi
`
}

/** Quoted for fish, where a backslash and an apostrophe each need a backslash before them. */
const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fishScript(places: readonly CommandPosition[]): string {
  const lines = places.flatMap(({ path, commands, options, choices }) => {
    const at = `complete -c makola -n ${fishQuoted(`__makola_at "${path}"`)}`
    return [
      ...commands.map(({ name, about }) => `${at} -f -a ${name} -d ${fishQuoted(about)}`),
      ...(choices.length > 0 ? [`${at} -f -a ${fishQuoted(choices.join(' '))}`] : []),
      ...options.map(({ long, about, takesValue, choices: values }) => {
        const value = values.length > 0 ? ` -x -a ${fishQuoted(values.join(' '))}` : takesValue ? ' -r' : ''
        return `${at} -l ${long.replace(/^--/, '')}${value} -d ${fishQuoted(about)}`
      }),
    ]
  })
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => fishQuoted(path))
  return `# fish completion of makola
function __makola_at
  set -l place ''
  for word in (commandline -opc)[2..]
    if contains -- "$place $word" ${paths.join(' ')}
      set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`
}

/** A script by which a shell completes the commands, options and values of this version. */
function completionScript(shell: (typeof shells)[number], program: Command): string {
  const positions = listPositions(program, '', [
    ...program.options.filter(({ long }) => long === '--json').flatMap(viewOption),
    { long: '--help', about: 'show what a command does', takesValue: false, choices: [] },
  ]).map((place) => ({ ...place, options: [...new Map(place.options.map((option) => [option.long, option])).values()] }))
  if (shell === 'bash') return bashScript(positions)
  return shell === 'zsh' ? zshScript(positions) : fishScript(positions)
}

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
