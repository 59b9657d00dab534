import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { builtFromFile, hashOfSources } from './built-from.ts'
import { compressFiles } from './compress-files.ts'

const page = (name: string): string => fileURLToPath(new URL(`${name}/index.html`, import.meta.url))

/** The tests compare it with the sources, so that nobody wonders about pages that were built before a change. */
const sayOfWhat: Plugin = {
  name: 'say-of-what',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: builtFromFile, source: hashOfSources() })
  },
}

export default defineConfig({
  plugins: [react(), sayOfWhat, compressFiles()],
  build: {
    // Two entries, so that a reseller's phone never loads what only the operator's desk needs.
    rollupOptions: { input: { app: page('app'), desk: page('desk') } },
    // One style sheet is one request; it is small, because only the parts of Mantine that are used are in it.
    cssCodeSplit: false,
    // The pages may load nothing that is not a file of ours, not even a picture inside a style sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
