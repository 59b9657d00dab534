#!/usr/bin/env node
/**
 * Compares Node's binary with the one that this version was tested with. The package `node` fetches it while it is
 * installed, past package-lock.json, so the lock's hashes say nothing about it (docs/decisions/0035-how-the-code-is-kept.md).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process from 'node:process'

/** SHA-256 of `bin/node` of the version in package.json, by platform. The registry that this project is built against has no Node for macOS. */
const known = {
  'linux-x64': '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  'linux-arm64': '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
}

const platform = `${process.platform}-${process.arch}`
const found = createHash('sha256')
  .update(readFileSync(new URL('../node_modules/node/bin/node', import.meta.url)))
  .digest('hex')
if (known[platform] === undefined) {
  console.log(`Node's binary for ${platform} is not pinned. Its SHA-256 is ${found}.`)
} else if (known[platform] === found) {
  console.log(`Node's binary for ${platform} is the one that is pinned.`)
} else {
  console.error(`Node's binary for ${platform} is not the one that is pinned: its SHA-256 is ${found}.`)
  process.exitCode = 1
}
