import { repeatableNumbers } from '../../../platform/repeatable-numbers.ts'

/** Weights by feature: above 0 for a receipt, below 0 against it. The score adds the weights of a text's features. */
export type ReceiptModel = { readonly bias: number; readonly weights: Readonly<Record<string, number>> }

/** The `receiptFeatures` of one text. */
type TextFeatures = ReadonlySet<string>

/** A feature must occur in this many texts. A single text proves nothing about receipts. */
const textsMin = 2

/** Smaller weights are left out: there are many, and they hardly change a result. */
const weightMin = 0.05

const rounds = 30
const firstStep = 0.3

function shuffle(list: unknown[], random: () => number): void {
  for (let place = list.length - 1; place > 0; place -= 1) {
    const other = Math.floor(random() * (place + 1))
    ;[list[place], list[other]] = [list[other], list[place]]
  }
}

/** A known text. Its features are indexes into the list of all features, because numbers are found faster than texts. */
type Example = { readonly features: readonly number[]; readonly isReceipt: boolean }

function readExamples(
  fakes: readonly TextFeatures[],
  honest: readonly TextFeatures[],
): { features: string[]; examples: Example[] } {
  const all = [
    ...fakes.map((features) => ({ features: [...features], isReceipt: true })),
    ...honest.map((features) => ({ features: [...features], isReceipt: false })),
  ]
  const texts = new Map<string, number>()
  for (const { features } of all) for (const feature of features) texts.set(feature, (texts.get(feature) ?? 0) + 1)
  const features = [...texts].filter(([, count]) => count >= textsMin).map(([feature]) => feature)
  const placeOf = new Map(features.map((feature, place) => [feature, place]))
  const examples = all.map((example) => ({
    features: example.features.map((feature) => placeOf.get(feature)).filter((place) => place !== undefined),
    isReceipt: example.isReceipt,
  }))
  return { features, examples }
}

function rounded(weight: number): number {
  return Math.round(weight * 100) / 100
}

/**
 * Trains a model on known texts by logistic regression with stochastic gradient descent: each text in turn moves the weights
 * of its features a little towards the right result.
 */
export function trainReceiptModel(fakes: readonly TextFeatures[], honest: readonly TextFeatures[]): ReceiptModel {
  const { features, examples } = readExamples(fakes, honest)
  const weights = new Float64Array(features.length)
  // The same random numbers in every run, so that the same texts give the same model.
  const random = repeatableNumbers(1)
  let bias = 0
  for (let round = 0; round < rounds; round += 1) {
    shuffle(examples, random)
    const step = firstStep / (1 + round * 0.3)
    for (const { features: places, isReceipt } of examples) {
      const score = places.reduce((sum, place) => sum + (weights[place] ?? 0), bias)
      const error = (isReceipt ? 1 : 0) - 1 / (1 + Math.exp(-score))
      bias += step * error * 0.1
      for (const place of places) weights[place] = (weights[place] ?? 0) + step * error
    }
  }
  const heavy = features
    .map((feature, place): [string, number] => [feature, weights[place] ?? 0])
    .filter(([, weight]) => Math.abs(weight) >= weightMin)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { bias: rounded(bias), weights: Object.fromEntries(heavy.map(([feature, weight]) => [feature, rounded(weight)])) }
}
