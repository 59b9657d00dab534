import { readdir, readFile } from 'node:fs/promises'

/** Texts of one author, divided into fake receipts and honest texts. */
export type TextSet = {
  readonly name: string
  /** Imitations of telecoms' and banks' texts about money. */
  readonly fakes: readonly string[]
  /** Texts of businesses. */
  readonly honest: readonly string[]
}

const folder = new URL('content-corpus/', import.meta.url)

async function readTexts(name: string): Promise<string[]> {
  const text = await readFile(new URL(name, folder), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

/** Reads the texts beside this file, one per line, as one set per author. */
export async function readContentCorpus(): Promise<TextSet[]> {
  const names = (await readdir(folder)).toSorted()
  return Promise.all(
    names.map(async (name) => ({
      name,
      fakes: await readTexts(`${name}/fakes.txt`),
      honest: await readTexts(`${name}/honest.txt`),
    })),
  )
}
