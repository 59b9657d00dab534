import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { packagedNode, root } from './find-program.js'
import { isOldNode, refuseOldNode } from './need-node.js'

/** npm up to version 10 takes the link to our Node away together with those for other machines. */
function linkNode() {
  const place = ['node', 'node-bin']
    .map((name) => join(`${name}-${process.platform}-${process.arch}`, 'bin', 'node'))
    .find((each) => existsSync(join(root, 'node_modules', each)))
  if (place !== undefined && !existsSync(packagedNode)) symlinkSync(join('..', place), packagedNode)
}

// npm runs this file with the Node that it just installed, if its folder of programs has that, or else with its own, which may be
// too old to read TypeScript.
linkNode()
if (!isOldNode) await import('./build-unless-built.ts')
else if (existsSync(packagedNode)) {
  process.exitCode = spawnSync(packagedNode, [fileURLToPath(import.meta.url)], { stdio: 'inherit' }).status ?? 1
} else refuseOldNode()
