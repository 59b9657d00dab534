import { sql } from 'kysely'
import { isSamePerson, isUserOnePerson, mayBeOneUser, type Person } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { amountIn, formatAmount, unitOfPurse } from '../amount.ts'
import { anyAmount, readCreditLimit } from '../money.settings.ts'

/** A credit counts against the limit of one person for this long. */
const countedHours = 24

/** The amount that one person may credit alone, and the amount that this person has: whole pesewas, or whole SMS credits. */
export type Allowance = {
  /** The limit of one person, stored with each credit. */
  readonly onePersonLimit: number
  /**
   * The credits to this kind of purse that the person made alone within the last 24 hours, and the resellers' transfers that
   * the person confirmed alone; 0 where there is no limit.
   */
  readonly credited: number
}

type Crediting = {
  readonly purse: 'main' | 'sms_credits'
  readonly person: Person
  readonly isLive: boolean
}

type CreditedAlone = { actor: string; os_user: string | null; amount: number }

/**
 * Adds up the last 24 hours' credits by hand, and resellers' transfers, that one person made or confirmed, by the name and the
 * system user of that person.
 */
async function readCreditedAlone(tx: Tx, purse: Crediting['purse']): Promise<CreditedAlone[]> {
  const { rows } = await sql<CreditedAlone>`
    select actor, os_user, sum(amount)::bigint as amount
    from (
      select actor, os_user, amount from wallet_credits
      where purse = ${purse} and approval_id is null and created_at > clock_timestamp() - make_interval(hours => ${countedHours})
      union all
      select decided_by, decided_os_user, amount from top_ups
      where ${purse} = 'main' and state = 'credited' and approval_id is null and decided_by is not null
        and ended_at > clock_timestamp() - make_interval(hours => ${countedHours})
    ) as credited
    group by actor, os_user`.execute(tx)
  return rows
}

/**
 * Reads how much one person may still credit alone. Where there is a limit, nobody else credits alone until the transaction
 * ends, so that two credits at the same time do not exceed the limit together. Call it before any wallet is locked. With real
 * money, unless `single_operator` is on, credits on the command line count for everybody at the desk, and the other way round:
 * one person may have access to both.
 */
export async function readAllowance(tx: Tx, { purse, person, isLive }: Crediting): Promise<Allowance> {
  const onePersonLimit = await readCreditLimit(tx, purse, isLive)
  if (onePersonLimit === anyAmount) return { onePersonLimit, credited: 0 }
  await sql`select pg_advisory_xact_lock(hashtextextended('makola credit by one person', 0))`.execute(tx)
  const isUserCounted = await isUserOnePerson(tx)
  const own = (await readCreditedAlone(tx, purse)).filter(
    ({ actor, os_user: osUser }) =>
      isSamePerson(actor, person.by) || (isUserCounted && osUser !== null && mayBeOneUser(osUser, person.osUser)),
  )
  return { onePersonLimit, credited: own.reduce((sum, { amount }) => sum + amount, 0) }
}

/** The reason why this amount takes a second person; undefined when one person may credit it. */
export function explainSecondPerson(
  { onePersonLimit, credited }: Allowance,
  purse: Crediting['purse'],
  amount: number,
): string | undefined {
  if (amount + credited <= onePersonLimit) return undefined
  const show = (each: number) => formatAmount(amountIn(unitOfPurse(purse), each))
  const before = credited === 0 ? '' : ` You credited ${show(credited)} in the last ${countedHours} hours already.`
  return `One person credits at most ${show(onePersonLimit)} within ${countedHours} hours.${before}`
}
