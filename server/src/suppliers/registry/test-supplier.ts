import { formatGhs } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { Supplier, SupplierRegistry } from '../ports.ts'
import { registersNumbers } from '../registration-port.ts'
import { readSupplierFloat } from '../routes/read-supplier-float.ts'
import { sendsSms } from '../sms-ports.ts'
import { SupplierChangeError } from './write-supplier.ts'

export type SupplierTest = {
  readonly asked: 'float' | 'registration'
  /**
   * `good`: the answer had our float or, from a registration server, the state of a number. `refused`: the supplier refused
   * us. `silent`: no answer, or an unreadable one.
   */
  readonly result: 'good' | 'refused' | 'silent'
  readonly said: string
  readonly milliseconds: number
}

const callSecondsMax = 30

/** A number that nobody has, so that the question concerns no person. */
const nobodysNumber = '0000000000'

async function ask(db: Db, supplier: Supplier): Promise<Omit<SupplierTest, 'milliseconds'>> {
  if (registersNumbers(supplier)) {
    const { meaning, isRefusal, evidence } = await supplier.checkRecipient(nobodysNumber, {
      milliseconds: callSecondsMax * 1_000,
    })
    if (meaning !== 'unavailable') return { asked: 'registration', result: 'good', said: evidence }
    return { asked: 'registration', result: isRefusal ? 'refused' : 'silent', said: evidence }
  }
  const float = await readSupplierFloat(db, supplier)
  if (float.meaning === 'read') return { asked: 'float', result: 'good', said: `The float is ${formatGhs(float.floatPesewas)}.` }
  return { asked: 'float', result: float.meaning === 'refused' ? 'refused' : 'silent', said: float.evidence }
}

/**
 * Calls a supplier without buying: reads our float or, at a registration server, the state of a number that nobody has.
 * Writes the test to the operator's log.
 * @throws SupplierChangeError when the supplier cannot be called, or is a link for SMS
 */
export async function testSupplier(
  deps: { readonly db: Db; readonly registry: Pick<SupplierRegistry, 'find'> },
  name: string,
  actor: string,
): Promise<SupplierTest> {
  const supplier = deps.registry.find(name)
  if (!supplier) {
    throw new SupplierChangeError(
      `${name} cannot be called as it is configured: its address, a credential or a setting is missing or wrong.`,
    )
  }
  if (sendsSms(supplier))
    throw new SupplierChangeError(`${name} is a link for SMS: it tells no float. Whether it is bound says how it does.`)
  const startedAt = performance.now()
  const answer = await ask(deps.db, supplier)
  const tested = { ...answer, milliseconds: Math.round(performance.now() - startedAt) }
  await inTransaction(deps.db, (tx) =>
    appendOperatorLog(tx, { actor, action: 'supplier test', subject: name, details: { ...tested } }),
  )
  return tested
}
