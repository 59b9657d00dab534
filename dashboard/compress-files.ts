import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(html|js|css|svg|json|webmanifest)$/

async function compress(path: string): Promise<void> {
  const body = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(body))
  await writeFile(`${path}.gz`, await promisify(gzip)(body, { level: 9 }))
}

/** Writes a `.br` and a `.gz` beside each built text file, so that the server compresses none per request. */
export function compressFiles(): Plugin {
  let folder = 'dist'
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const names = (await readdir(folder, { recursive: true })).filter((name) => compressible.test(name))
      await Promise.all(names.map((name) => compress(join(folder, name))))
    },
  }
}
