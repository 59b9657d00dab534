import type { SupplierAnswer } from '../ports.ts'
import { evidenceOf } from './evidence.ts'

/**
 * A final answer counts only when it names the order: by our reference, or by the supplier's code that we asked with. Any
 * other answer could be about another order. It becomes `unknown` without amounts, and the next look-up will decide. The
 * supplier's code is kept for that look-up.
 * @param namesOurs whether the answer carries such a reference
 */
export function requireReference(answer: SupplierAnswer, namesOurs: boolean): SupplierAnswer {
  if (namesOurs || (answer.meaning !== 'delivered' && answer.meaning !== 'failed')) return answer
  const evidence = evidenceOf(`it says ${answer.meaning} without a reference of ours: ${answer.evidence}`)
  const theirs = answer.supplierReference
  return { meaning: 'unknown', hasSpoken: true, evidence, ...(theirs === undefined ? {} : { supplierReference: theirs }) }
}
