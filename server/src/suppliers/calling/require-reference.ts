import type { SupplierAnswer } from '../ports.ts'
import { evidenceOf } from './evidence.ts'

/**
 * A final answer counts only when it names the order: by our reference, or by the supplier's code that we asked with.
 * An answer that names neither could be about any order, so it becomes `unknown` and its amounts are ignored; the next
 * look-up will tell. The supplier's code is kept for that.
 * @param namesOurs whether the answer carries such a reference
 */
export function requireReference(answer: SupplierAnswer, namesOurs: boolean): SupplierAnswer {
  if (namesOurs || (answer.meaning !== 'delivered' && answer.meaning !== 'failed')) return answer
  const evidence = evidenceOf(`it says ${answer.meaning} without a reference of ours: ${answer.evidence}`)
  const theirs = answer.supplierReference
  return { meaning: 'unknown', hasSpoken: true, evidence, ...(theirs === undefined ? {} : { supplierReference: theirs }) }
}
