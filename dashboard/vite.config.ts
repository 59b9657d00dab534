import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './compress-files.ts'

const page = (name: string): string => fileURLToPath(new URL(`${name}/index.html`, import.meta.url))

export default defineConfig({
  plugins: [react(), compressFiles()],
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
