import type { Command } from 'commander'
import { readAccount } from '../../accounts/find-account.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { errorCodeOf } from '../../platform/database/database-errors.ts'
import { isId } from '../../platform/database/read-id.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Actor, OperationDeps, StaffOperation } from '../../platform/operations/operation.ts'
import { wireOf } from '../../platform/operations/wire.ts'
import { checkSecretsKeys } from '../../platform/secrets/check-secrets-keys.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import { askOnTerminal } from './ask-on-terminal.ts'
import { UsageError } from './command-error.ts'
import { describeAnswer } from './describe-answer.ts'
import { personOf } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { declareInput } from './read-input.ts'
import { checkText } from './read-options.ts'
import { withDatabase } from './with-database.ts'

const bySentences = { required: 'who says so', optional: 'who does it; default: your user name here' }

function depsOf(config: Config, db: Db): OperationDeps {
  return {
    db,
    keyPrefix: config.keyPrefix,
    isLive: config.suppliers === 'live',
    async openSecrets() {
      const keys = await loadSecretsKeys(config)
      await checkSecretsKeys(db, keys)
      return keys
    },
  }
}

/** Nobody signs in on the command line: who may type there may do everything. */
function actorOf(by: string | undefined): Actor {
  const person = personOf(by)
  return { actor: person.by, person, may: () => true, owns: () => false }
}

/** Turns a refusal that the desk would answer 400 into wrong usage. */
function asUsageError(error: unknown): never {
  throw error instanceof RefusalError && error.refusal.status === 400 ? new UsageError(error.message) : error
}

/** The SQLSTATE for a text that the type of its column does not take. */
const invalidText = '22P02'

const isIdField = (schema: unknown) => (schema as { readonly format?: string } | undefined)?.format === 'uuid'

/** Turns the database's refusal of an id that is none into wrong usage. Most functions look an id up as it is. */
function nameWrongId({ input }: StaffOperation<unknown>, typed: Readonly<Record<string, unknown>>, error: unknown): never {
  const given = Object.entries(typed).flatMap(([name, value]) => (isIdField(input.properties[name]) ? String(value) : []))
  const wrong = given.find((text) => !isId(text))
  if (wrong === undefined || errorCodeOf(error) !== invalidText) throw error
  throw new UsageError(`${JSON.stringify(wrong)} is no id.`)
}

/** Registers the command of an operation. The command runs the operation in this process. */
export function addOperation(parent: Command, operation: StaffOperation<unknown>): void {
  const { command: usage = '', summary, by, find, question, check, act, print, text, printed = operation.output } = operation
  const name =
    usage
      .replace(/ [<[].*$/, '')
      .split(' ')
      .at(-1) ?? ''
  const command = parent.command(name).description(`${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`)
  const readInput = declareInput(command, operation)
  if (by) command.addOption(command.createOption('--by <person>', bySentences[by]).makeOptionMandatory(by === 'required'))
  if (question) command.option('--yes', 'do not ask on a terminal')
  command.action(async () => {
    const options = command.opts<{ by?: string; yes?: true }>()
    const typed = readInput()
    checkText('--by', options.by)
    const problem = check?.(typed)
    if (problem !== undefined) throw new UsageError(problem)
    const config = readConfig()
    const actor = actorOf(options.by)
    const done = await withDatabase(config, async (db) => {
      const deps = depsOf(config, db)
      const { accountId } = typed as { accountId?: string }
      const named = accountId === undefined ? typed : { ...typed, accountId: (await readAccount(db, accountId)).accountId }
      const input = (await find?.(deps, named).catch(asUsageError)) ?? named
      const asked = await question?.(deps, input)
      if (asked !== undefined) await askOnTerminal(asked, options.yes === true)
      const answer = await act(deps, actor, input)
        .catch((error: unknown) => nameWrongId(operation, typed, error))
        .catch(asUsageError)
      const shown = print ? await print(deps, answer, input) : answer
      return { shown, forPeople: (await text?.(shown, input, deps)) ?? describeAnswer(printed, shown) }
    })
    printResult(wireOf(printed).encode(done.shown), done.forPeople)
  })
}
