import type { SupplierAnswer } from '../ports.ts'
import { evidenceOf } from './evidence.ts'

/**
 * A supplier's last word counts only when it names what it speaks of: by a reference of ours, or by the code of theirs
 * that we asked by. One that names neither may speak of any order, so it is `unknown` and its
 * amounts count for nothing; the look-up tells the rest. Their code is kept, to ask by.
 *
 * @param namesOurs whether the answer carries such a reference
 */
export function requireReference(answer: SupplierAnswer, namesOurs: boolean): SupplierAnswer {
  if (namesOurs || (answer.meaning !== 'delivered' && answer.meaning !== 'failed')) return answer
  const evidence = evidenceOf(`it says ${answer.meaning} without a reference of ours: ${answer.evidence}`)
  const theirs = answer.supplierReference
  return { meaning: 'unknown', hasSpoken: true, evidence, ...(theirs === undefined ? {} : { supplierReference: theirs }) }
}
