import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The form of a version: https://semver.org, without build metadata, which neither npm nor an image's tag can carry. */
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/

export const isVersion = (text: string): boolean => form.test(text)

type Versioned = { version: string }
type Manifest = Versioned & { readonly workspaces: readonly string[] }
type Lock = Versioned & { readonly packages: Readonly<Record<string, Versioned>> }

const readManifest = (root: string) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

export const readVersion = (root: string): string => readManifest(root).version

/** Files beside the manifests that name the version. `setVersion` replaces it wherever it occurs in them. */
export const placesOfVersion = [
  'sdk/python/pyproject.toml',
  'operations/kubernetes/kustomization.yaml',
  'docs/operating/install.md',
  'docs/api/typescript.md',
  'docs/api/php.md',
  'docs/api/python.md',
]

/** Writes one version into all files that name it: the manifest, those of its workspaces, the lock, and `placesOfVersion`. */
export function setVersion(root: string, version: string): void {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const write = (path: string, content: object) => writeFileSync(join(root, path), `${JSON.stringify(content, null, 2)}\n`)
  const last = readVersion(root)
  const lock = read('package-lock.json') as Lock
  lock.version = version
  for (const part of ['', ...readManifest(root).workspaces]) {
    const entry = lock.packages[part]
    if (!entry) throw new Error(`package-lock.json has no entry for "${part}"`)
    entry.version = version
    const path = join(part, 'package.json')
    write(path, { ...(read(path) as Versioned), version })
  }
  write('package-lock.json', lock)
  for (const place of placesOfVersion) {
    const path = join(root, place)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(last, version))
  }
}
