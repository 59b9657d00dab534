#!/usr/bin/env node
/**
 * What `npm ci` does at its end: it builds programs and pages. A release has both built, and is installed without the tools
 * that build (`--omit=dev`). The oldest supported Node runs this file.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { builtFile, findProgram, readBuilt, root, stampOf } from './find-program.js'

/** The tool that builds the pages. It is there when the tools of developers were installed. */
function hasTools() {
  try {
    createRequire(join(root, 'dashboard', 'package.json')).resolve('vite')
    return true
  } catch {
    return false
  }
}

const isBuilt = () => findProgram('cli').endsWith('.mjs') && existsSync(join(root, 'dashboard', 'dist', 'app', 'index.html'))

/** Unpacked files have new times. With them in the record, a program's start need not read all sources again. */
function noteTimes() {
  const built = readBuilt(root)
  if (!built) return
  const sources = built.sources.map(([path]) => [path, stampOf(root, path)])
  writeFileSync(join(root, builtFile), `${JSON.stringify({ ...built, sources })}\n`)
}

if (hasTools()) {
  execFileSync(process.execPath, [process.env['npm_execpath'] ?? '', 'run', 'build'], { cwd: root, stdio: 'inherit' })
} else if (isBuilt()) {
  noteTimes()
} else {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.error(
    `makola ${version}: nothing is built here, and the tools that build are left out. Take a release, which has everything ` +
      'built, or run `npm ci`, and then `npm prune --omit=dev` if the tools shall go.',
  )
  process.exitCode = 1
}
