import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(html|js|css|svg|json|webmanifest)$/

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
      for (const name of await readdir(folder, { recursive: true })) {
        if (!compressible.test(name)) continue
        const body = await readFile(join(folder, name))
        await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(body))
        await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(body, { level: 9 }))
      }
    },
  }
}
