import { readdir, readFile } from 'node:fs/promises'

/** Texts of one author, each known to be a fake receipt or an honest text. */
export type TextSet = {
  readonly name: string
  /** Imitations of what telecoms and banks write about money. */
  readonly fakes: readonly string[]
  /** What businesses write. */
  readonly honest: readonly string[]
}

const folder = new URL('content-corpus/', import.meta.url)

async function readTexts(name: string): Promise<string[]> {
  const text = await readFile(new URL(name, folder), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

/** Reads the texts beside this file, a line each: a set per author. */
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
