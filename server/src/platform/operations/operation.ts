import type { FastifyContextConfig } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Person } from '../approvals/two-people.ts'
import type { Db } from '../database/database.ts'
import type { SecretsKeys } from '../secrets/secrets-keys.ts'

/** The parts that every operation gets, at the desk and on the command line. */
export type OperationDeps = {
  readonly db: Db
  /** The first word of the keys: KEY_PREFIX. */
  readonly keyPrefix: string
  /** True when the suppliers are real. */
  readonly isLive: boolean
  /** The keys of the secrets in the database. */
  readonly openSecrets: () => Promise<SecretsKeys>
}

/** The person who acts: a member of the staff at the desk, or a user of the operating system on the command line. */
export type Actor = {
  /** The name in the operator's log. */
  readonly actor: string
  /** The same for all sessions of a person, for changes that take two people. */
  readonly person: Person
  /**
   * True when the person has this permission. Null stands for actions that only the command line has: true on the command line,
   * where everybody may do everything; false at the desk.
   */
  readonly may: (permission: string | null) => boolean
  /** True when the person is a member of this account. */
  readonly owns: (accountId: string) => boolean
}

type Face = {
  /** One sentence: the summary in the document, and the help of the command. */
  readonly summary: string
  /** The second paragraph in the document. */
  readonly description?: string
}

/** The desk's route, below `/desk/api`. */
type Route = Pick<FastifyContextConfig, 'permission' | 'isConfirmationNeeded' | 'refusals' | 'longWork'> & {
  /**
   * Method and path, such as `POST /keys/:key_id/approve`. The fields of the input that are not in the path are the body,
   * or the query of a GET.
   */
  readonly route?: string
  readonly operationId?: string
  readonly tag?: string
}

/** The command. Its words, options and `--json` come from the input and the output. */
type CommandLine<Input, Answer, Printed> = {
  /**
   * The words and arguments of the command, such as `key allow <key-id> [addresses...]`. The other fields of the input are
   * options.
   */
  readonly command?: string
  /** A line for the help. */
  readonly example?: string
  /** `required` or `optional`: the person is named with `--by`. */
  readonly by?: 'required' | 'optional'
  /** The output of `--json`, where it differs from the answer. A literal is printed unchanged. */
  readonly printed?: TSchema
  /** Finds what was typed, such as an order by its reference. @throws OperatorRequestError when there is no such thing */
  readonly find?: (deps: OperationDeps, typed: Input) => Promise<Input>
  /** Reads what is printed after `act`, where the command shows more than the desk answers. */
  readonly print?: (deps: OperationDeps, answer: Answer, input: Input) => Promise<Printed>
  /** The text for people. Without one: the facts and tables of what `--json` prints. */
  readonly text?: (printed: Printed, input: Input, deps: OperationDeps) => string | Promise<string>
  /** The question on a terminal before `act`; `--yes` answers it in advance. Undefined: nothing is asked. */
  readonly question?: (deps: OperationDeps, input: Input) => Promise<string | undefined>
}

/** An action or a question of the operator's staff, for the desk, for the command line or for both. */
export type StaffOperation<Input, Answer = unknown, Printed = Answer> = Face &
  Route &
  CommandLine<Input, Answer, Printed> & {
    /**
     * Fields have the code's names; `wireNameOf` makes those of JSON. `accountId` is an existing account: on the command line
     * its id or e-mail.
     */
    readonly input: TObject
    readonly output: TSchema
    /** Gives the reason why the input is wrong, whatever the database holds. Undefined: it is right. */
    readonly check?: (input: Input) => string | undefined
    /**
     * Finds the account that a change is about. The desk refuses the change when the person is a member of that account. Left
     * out: members may make the change too.
     */
    readonly about?: (deps: OperationDeps, actor: Actor, input: Input) => Promise<string | undefined>
    readonly act: (deps: OperationDeps, actor: Actor, input: Input) => Promise<Answer>
  }

/**
 * The values that `act` may return for an answer of this type. A row of the database fits as it was read: it may have more
 * fields, which are left out of the answer, its lists may be read-only, and its amounts may be plain numbers.
 */
export type Given<Value> = Value extends Date
  ? Value
  : Value extends number
    ? number
    : Value extends readonly (infer Item)[]
      ? readonly Given<Item>[]
      : Value extends object
        ? { readonly [Name in keyof Value]: Given<Value[Name]> }
        : Value

/** Describes an operation. The types of its functions come from the schemas of its input and output. */
export function operation<
  const In extends TObject,
  const Out extends TSchema,
  Answer extends Given<Static<Out>>,
  Printed = Answer,
>(
  description: Omit<StaffOperation<Static<In>, Answer, Printed>, 'input' | 'output'> & {
    readonly input: In
    readonly output: Out
  },
): StaffOperation<unknown> {
  return description as unknown as StaffOperation<unknown>
}
