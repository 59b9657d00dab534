import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { readContentCorpus } from './content-corpus.ts'
import { receiptFeatures } from './receipt-features.ts'
import { trainReceiptModel } from './train-receipt-model.ts'

/**
 * Trains the model of receipts on the texts in `content-corpus/` and writes `receipt-model.json`. Run it after changing a
 * text. `--check` only reports whether the file is up to date.
 */
const file = new URL('receipt-model.json', import.meta.url)
const sets = await readContentCorpus()
const model = trainReceiptModel(
  sets.flatMap(({ fakes }) => fakes.map(receiptFeatures)),
  sets.flatMap(({ honest }) => honest.map(receiptFeatures)),
)
const written = `${JSON.stringify(model, null, 2)}\n`
if (!process.argv.includes('--check')) {
  await writeFile(file, written)
  process.stdout.write(`${Object.keys(model.weights).length} weights written.\n`)
} else if (written !== (await readFile(file, 'utf8'))) {
  process.stderr.write(
    'receipt-model.json is not what its texts give: run node server/src/products/sms/text/write-receipt-model.ts\n',
  )
  process.exitCode = 1
}
