#!/usr/bin/env node
/**
 * Asks whether a package of package-lock.json is known to be dangerous: first npm's own registry by `npm audit`, which
 * some registries refuse, then OSV (https://osv.dev). Ends with 0 when no advisory is known, or only accepted ones, with 1
 * when another one is, and with 3 when neither answered: then nothing was checked.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Advisories that do not concern us, each with the reason. */
const accepted: Readonly<Record<string, string>> = {}

/** The exit codes. 2 is left out, because programs of this project use it for arguments that they do not understand. */
const exitCodes = { none: 0, found: 1, nobodyAnswered: 3 } as const

/** OSV answers at most this many questions in one request. */
const questionsMax = 1_000
const timeoutMilliseconds = 60_000

export type Advisory = { readonly id: string; readonly name: string; readonly title: string }

/** A package of the lock at one version. */
type Installed = { readonly name: string; readonly version: string }

type Lock = { readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>> }

/** Lists the packages that a lock file installs, each version once. */
export function listInstalled({ packages }: Lock): Installed[] {
  const found = new Map<string, Installed>()
  for (const [place, { version, link }] of Object.entries(packages)) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1]
    if (name !== undefined && version !== undefined && link !== true) found.set(`${name}@${version}`, { name, version })
  }
  return [...found.values()]
}

type Cause = string | { readonly name: string; readonly title: string; readonly url: string }

/** @throws Error when the text is no report, as from a registry that does not support `npm audit` */
export function readNpmReport(text: string): Advisory[] {
  const report = JSON.parse(text) as { readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly Cause[] }>> }
  if (!report.vulnerabilities) throw new Error('the registry answers no such question')
  // A cause that is only a name refers to another package of the report, which has causes of its own.
  const causes = Object.values(report.vulnerabilities).flatMap(({ via }) => via.filter((cause) => typeof cause === 'object'))
  return causes.map(({ name, title, url }) => ({ id: url.replace(/^.*\//, ''), name, title }))
}

/** `npm audit` ends with 1 when it has found something, and also when it could not ask. Its report says which. */
function askNpm(folder: string): Promise<Advisory[]> {
  const words = ['audit', '--json', '--package-lock-only', '--fetch-retries=0', `--fetch-timeout=${timeoutMilliseconds}`]
  return new Promise((resolve, reject) => {
    execFile('npm', words, { cwd: folder, maxBuffer: 100_000_000 }, (_error, stdout) => {
      try {
        resolve(readNpmReport(stdout))
      } catch {
        reject(new Error('the registry refuses npm audit, or did not answer'))
      }
    })
  })
}

async function askJson<T>(url: string, body?: object): Promise<T> {
  const options = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMilliseconds) })
  if (!response.ok) throw new Error(`${response.status} from ${url}`)
  return (await response.json()) as T
}

type OsvAnswer = { readonly results: readonly { readonly vulns?: readonly { readonly id: string }[] }[] }

/** @param url of OSV, or of a copy of it */
export async function askOsv(url: string, installed: readonly Installed[]): Promise<Advisory[]> {
  const found: Advisory[] = []
  for (let from = 0; from < installed.length; from += questionsMax) {
    const some = installed.slice(from, from + questionsMax)
    const queries = some.map(({ name, version }) => ({ package: { name, ecosystem: 'npm' }, version }))
    const { results } = await askJson<OsvAnswer>(`${url}/v1/querybatch`, { queries })
    if (results.length !== some.length) throw new Error(`${url} answered ${results.length} of ${some.length} questions`)
    for (const [index, { name, version }] of some.entries()) {
      for (const { id } of results[index]?.vulns ?? []) {
        const { summary } = await askJson<{ readonly summary?: string }>(`${url}/v1/vulns/${id}`)
        found.push({ id, name: `${name} ${version}`, title: summary ?? 'without a title' })
      }
    }
  }
  return found
}

/** Prints the advisories that were found, and returns the exit code. */
export function tellOf(
  found: readonly Advisory[],
  reasons: Readonly<Record<string, string>>,
  say: (line: string) => void,
): number {
  for (const { id, name, title } of found) {
    const reason = reasons[id]
    say(reason === undefined ? `${name}: ${title} (${id})` : `${name}: ${id} is accepted: ${reason}`)
  }
  const stale = Object.keys(reasons).filter((id) => !found.some((advisory) => advisory.id === id))
  if (stale.length > 0)
    say(`Accepted, but no longer found: ${stale.join(', ')}. Take it off the list in .ci/check-advisories.ts.`)
  return found.every(({ id }) => reasons[id] !== undefined) ? exitCodes.none : exitCodes.found
}

/** Asks npm's registry, and OSV when that gives no answer. @returns the exit code */
export async function checkAdvisories(
  { folder, osvUrl }: { readonly folder: string; readonly osvUrl: string },
  say: (line: string) => void,
): Promise<number> {
  const installed = listInstalled(JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as Lock)
  const sources = { 'npm audit': () => askNpm(folder), [osvUrl]: () => askOsv(osvUrl, installed) }
  for (const [name, ask] of Object.entries(sources)) {
    try {
      const found = await ask()
      say(`${name} was asked about ${installed.length} packages and knows ${found.length} advisories.`)
      return tellOf(found, accepted, say)
    } catch (error) {
      say(`${name} gave no answer: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  say('Nobody answered, so nothing was checked. Ask again where registry.npmjs.org or api.osv.dev can be reached.')
  return exitCodes.nobodyAnswered
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  process.exitCode = await checkAdvisories({ folder, osvUrl: 'https://api.osv.dev' }, console.log)
}
