import { formatGhs } from '../../../money/pesewas.ts'
import { clearEachAlarm } from '../../../notices/clear-alarm.ts'
import { type Alarm, raiseAlarms } from '../../../notices/raise-alarm.ts'
import { aboveListAlarm, belowCostAlarm } from '../../../orders/settlement/raise-loss-alarms.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { offerClosedAlarm, offerName } from '../offers/close-and-reopen-offer.ts'
import type { PackageChange } from '../stored-packages.ts'
import { findLosses } from './find-losses.ts'

/**
 * Lists the alarms that a change of a package clears, because a person has checked it: all but those about prices still below
 * cost and offers still closed.
 */
function alarmsToClear({ stored, next }: PackageChange, losing: ReadonlySet<string>): Pick<Alarm, 'name' | 'subject'>[] {
  return [...new Set([...(stored?.offers.keys() ?? []), ...next.offers.keys()])].flatMap((supplier) => {
    const subject = offerName({ ...next, supplier })
    const names = [
      aboveListAlarm,
      ...(losing.has(supplier) ? [] : [belowCostAlarm]),
      ...(next.offers.get(supplier)?.closedAt ? [] : [offerClosedAlarm]),
    ]
    return names.map((name) => ({ name, subject }))
  })
}

/**
 * Clears the alarms of changed packages, then raises one for each offer whose cost is above a price, because the operator
 * insisted on that price. Such an alarm stays open until prices or costs change.
 */
export async function raisePriceAlarms(tx: Tx, changes: readonly PackageChange[]): Promise<void> {
  const found = changes.map((change) => ({ change, losses: findLosses(change.next) }))
  await clearEachAlarm(
    tx,
    found.flatMap(({ change, losses }) => alarmsToClear(change, new Set(losses.map(({ supplier }) => supplier)))),
  )
  await raiseAlarms(
    tx,
    found.flatMap(({ change, losses }) =>
      losses.map(({ supplier, message, lossPesewas }) => ({
        name: belowCostAlarm,
        subject: offerName({ ...change.next, supplier }),
        message: `${message}: a loss of ${formatGhs(lossPesewas)} on each.`,
      })),
    ),
  )
}
