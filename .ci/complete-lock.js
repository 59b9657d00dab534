#!/usr/bin/env node
/**
 * Adds to package-lock.json the optional packages for other platforms that npm left out. A registry
 * that offers only some platforms makes `npm install` write a lock which `npm ci` refuses. Run it after
 * changing a dependency; it changes nothing when the lock is complete. With `--pin` it also asks the registry for the
 * hash of each package that has none: `npm ci` accepts a package only with the hash that stands in the lock.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const file = new URL('../package-lock.json', import.meta.url)
const systems = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'aix']
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el']

/** The entry of a platform's package, from the words of its name; undefined when the name says no platform. */
function entryOf(name, version, parent) {
  const words = name.split('/').at(-1).split('-')
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  if (!os || !cpu) return undefined
  const isMusl = words.some((word) => word.includes('musl'))
  const isGnu = words.some((word) => word.startsWith('gnu'))
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(os === 'linux' && (isMusl || isGnu) ? { libc: [isMusl ? 'musl' : 'glibc'] } : {}),
    license: parent.license,
    optional: true,
    os: [os],
  }
}

const lock = JSON.parse(readFileSync(file, 'utf8'))
const added = []
for (const [place, parent] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const isThere = lock.packages[`${place}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`]
    const entry = isThere || !/^\d/.test(version) ? undefined : entryOf(name, version, parent)
    if (!entry) continue
    lock.packages[`node_modules/${name}`] = entry
    added.push(name)
  }
}
/** The hash of a package, as the registry names it; undefined where this registry does not have it. */
function askIntegrity(name, version) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], options).trim() || undefined
  } catch {
    return undefined
  }
}

const pinned = []
const unpinned = Object.entries(lock.packages).filter(
  ([place, entry]) => /(^|\/)node_modules\//.test(place) && !entry.link && !entry.integrity,
)
for (const [place, entry] of process.argv.includes('--pin') ? unpinned : []) {
  const integrity = askIntegrity(place.replace(/^.*node_modules\//, ''), entry.version)
  if (integrity === undefined) continue
  entry.integrity = integrity
  pinned.push(place)
}

if (added.length + pinned.length > 0) {
  const inOrder = Object.entries(lock.packages).toSorted(([left], [right]) => (left < right ? -1 : 1))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(inOrder) }, null, 2)}\n`)
}
console.log(`Without a hash: ${unpinned.length - pinned.length}, pinned now: ${pinned.length}.`)
console.log(added.length === 0 ? 'The lock is complete.' : `Added to the lock: ${added.join(', ')}`)
