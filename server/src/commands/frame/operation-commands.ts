import type { Command } from 'commander'
import type { OperationRoom } from '../../all-operations.ts'
import type { StaffOperation } from '../../platform/operations/operation.ts'
import type { RegisterCommand } from './run-command-line.ts'

/** A first word of the command line. Its commands are loaded when it is typed; until then the help shows only its summary. */
export type LazyCommand = {
  readonly name: string
  readonly register: RegisterCommand
  load(): Promise<RegisterCommand>
}

/** Finds or adds the group between the first word and the last one, such as `pool` of `sender pool add`. */
function groupOf(first: Command, { command: usage = '' }: StaffOperation<unknown>, { groups = {} }: OperationRoom): Command {
  const [, name = ''] = /^\S+ (\S+) [a-z]/.exec(usage) ?? []
  if (name === '') return first
  return first.commands.find((each) => each.name() === name) ?? first.command(name).description(groups[name] ?? '')
}

/** Makes the command group of a room's operations. @param addOthers adds commands that are no operations */
export function commandsOf(room: OperationRoom, addOthers?: (group: Command) => void): LazyCommand {
  const addGroup = (program: Command) => program.command(room.command).description(room.summary)
  return {
    name: room.command,
    register: addGroup,
    async load() {
      const [{ addOperation }, operations] = await Promise.all([import('./run-operation.ts'), room.load()])
      const typed = operations.filter(({ command }) => command !== undefined)
      const examples = typed.flatMap(({ example }) => (example === undefined ? [] : [`  ${example}`]))
      const end = [['Examples:', ...examples].join('\n'), ...(room.explanation === undefined ? [] : [room.explanation])].join(
        '\n\n',
      )
      return (program) => {
        const group = addGroup(program).addHelpText('after', `\n${end}`)
        for (const operation of typed) addOperation(groupOf(group, operation, room), operation)
        addOthers?.(group)
      }
    },
  }
}
