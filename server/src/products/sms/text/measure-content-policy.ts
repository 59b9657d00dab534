import { readContentCorpus, type TextSet } from './content-corpus.ts'
import { type ContentPolicy, findBlockingRule } from './find-blocking-rule.ts'
import { receiptFeatures } from './receipt-features.ts'
import { trainReceiptModel } from './train-receipt-model.ts'

/** A policy's mistakes on the texts of one author, which it had not seen before. */
export type ContentFigures = {
  readonly set: string
  readonly fakes: number
  readonly missed: readonly string[]
  readonly honest: number
  readonly blocked: readonly { readonly text: string; readonly rule: string }[]
}

function judge({ name, fakes, honest }: TextSet, policy: ContentPolicy): ContentFigures {
  return {
    set: name,
    fakes: fakes.length,
    missed: fakes.filter((text) => findBlockingRule(text, policy) === undefined),
    honest: honest.length,
    blocked: honest.flatMap((text) => {
      const rule = findBlockingRule(text, policy)
      return rule === undefined ? [] : [{ text, rule }]
    }),
  }
}

/**
 * Counts a policy's mistakes on unknown texts: each author's texts are judged by a model of receipts trained on all the
 * others'.
 */
export async function measureContentPolicy(policy: Omit<ContentPolicy, 'model'>): Promise<ContentFigures[]> {
  const sets = await readContentCorpus()
  const features = sets.map(({ fakes, honest }) => ({ fakes: fakes.map(receiptFeatures), honest: honest.map(receiptFeatures) }))
  return sets.map((set, place) => {
    const others = features.toSpliced(place, 1)
    const model = trainReceiptModel(
      others.flatMap(({ fakes }) => fakes),
      others.flatMap(({ honest }) => honest),
    )
    return judge(set, { ...policy, model })
  })
}
