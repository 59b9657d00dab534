import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { builtFromFile, hashOfSources } from './built-from.ts'
import { compressFiles } from './compress-files.ts'
import { makeInstallable } from './make-installable.ts'
import { fileOfModule } from './part-files.ts'
import { nameClass, splitSheet } from './split-sheet.ts'
import { pageOf, writeFirstPages, writePages } from './write-pages.ts'

/**
 * Writes a hash of the sources beside the pages. The tests compare it with the sources, so they notice pages that were built
 * before a change.
 */
const noteSources: Plugin = {
  name: 'say-of-what',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: builtFromFile, source: hashOfSources() })
  },
}

/**
 * Moves the link to the style sheet to its place in the page: after the first paint, which then need not wait for it, and
 * before the app, so that the styles that Mantine adds later win over the sheet.
 */
const paintFirst: Plugin = {
  name: 'paint-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const sheet = /\s*<link rel="stylesheet"[^>]*>/.exec(html)?.[0] ?? ''
      return html.replace(sheet, '').replace(/<!-- The style sheet comes here[^>]*-->/, () => sheet.trim())
    },
  },
}

/**
 * Lets Chromium compile every function of the shared code while the file still comes, beside the main thread, not each when it first
 * runs. Other browsers read a comment. It is added last, because it counts only at the very beginning.
 */
const compileEarly: Plugin = {
  name: 'compile-early',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && file.name === 'base') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
    },
  },
}

export default defineConfig({
  css: { modules: { generateScopedName: nameClass } },
  plugins: [
    react(),
    writePages,
    paintFirst,
    splitSheet(),
    writeFirstPages,
    makeInstallable(),
    compileEarly,
    noteSources,
    compressFiles(),
  ],
  build: {
    // Two entries, so that a reseller's phone never loads what only the operator's desk needs.
    rolldownOptions: {
      input: { app: pageOf('app'), desk: pageOf('desk') },
      output: { codeSplitting: { groups: [{ debugName: 'files', name: fileOfModule }] } },
    },
    // Makes one style sheet, because each sheet is one more request. `splitSheet` takes out the rules of the desk and of the
    // app's screens; the rest is small, because only the used parts of Mantine are in it.
    cssCodeSplit: false,
    // Vite would otherwise write small pictures and fonts as `data:` addresses into our files. With 0, each of them stays a
    // file on our server.
    assetsInlineLimit: 0,
    // Lists the files that each screen loads. The tests add up their sizes.
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
