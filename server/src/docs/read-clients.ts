import { readFile } from 'node:fs/promises'

/** A client for programs, packed as its language installs it. */
export type PackedClient = { readonly name: string; readonly body: Buffer }

/** Reads what `server/bin/pack-clients.ts` wrote. Nothing where nothing was built: then the pages name files that are not there. */
export async function readClients(): Promise<readonly PackedClient[]> {
  const text = await readFile(new URL('../../dist/clients.json', import.meta.url), 'utf8').catch(() => '{"files":[]}')
  const { files } = JSON.parse(text) as { readonly files: readonly { readonly name: string; readonly base64: string }[] }
  return files.map(({ name, base64 }) => ({ name, body: Buffer.from(base64, 'base64') }))
}
