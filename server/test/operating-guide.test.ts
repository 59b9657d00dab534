import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { allCommands } from '../src/all-commands.ts'
import { type StaffRole, staffPermissions, staffRoles } from '../src/people/permissions/staff-permissions.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const guide = join(root, 'docs', 'operating')
const operations = join(root, 'operations')
const source = join(root, 'server', 'src')
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

const pages = readdirSync(guide).filter((name) => name.endsWith('.md'))
const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !name.includes('.fixture.'))
  .map((name) => ({ name, text: read(source, name) }))

/** Every variable that the configuration reads, or Node by itself. */
const variables = new Set([
  ...[...read(source, 'environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map((match) => match[1]),
  'NODE_OPTIONS',
])

function readProgram(): Command {
  const program = new Command('makola').option('--json')
  for (const register of allCommands) register(program)
  return program
}

/**
 * The first word of a line that is no command or option. Undefined when there is none. A line is not read beyond an
 * option in the place of a command.
 */
function findWrongWord(program: Command, line: string): string | undefined {
  let command = program
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  while (words[0] !== undefined && command.commands.length > 0) {
    const next = command.commands.find((each) => each.name() === words[0])
    if (!next) return words[0].startsWith('-') ? undefined : words[0]
    command = next
    words.shift()
  }
  const known = new Set([...program.options, ...command.options].map((option) => option.long))
  return words.find((word) => word.startsWith('--') && word !== '--help' && !known.has(word))
}

describe('the operating guide', () => {
  test('says who may do what at the desk', () => {
    const told = read(guide, 'desk.md')
      .split('\n')
      .filter((line) => /^\| `\w+` \|/.test(line))
    const rows = Object.entries(staffPermissions).map(([permission, roles]) => {
      const cells = staffRoles.map((role) => ((roles as readonly StaffRole[]).includes(role) ? ' yes |' : ' |'))
      return `| \`${permission}\` |${cells.join('')}`
    })
    expect(told).toEqual(rows)
  })

  test('names only commands and options that there are', async () => {
    const program = readProgram()
    const lines = pages.flatMap((page) => {
      const text = read(guide, page)
      const inText = [...text.matchAll(/`makola ([a-z][^`\n]*)`/g)].map((match) => match[1] ?? '')
      const inBlocks = [...text.matchAll(/^(?:.*&& )?makola ([a-z].*)$/gm)].map((match) =>
        (match[1] ?? '').replace(/\s+#.*$/, ''),
      )
      return [...inText, ...inBlocks].map((line) => ({ page, line }))
    })
    expect(lines.length).toBeGreaterThan(20)
    const wrong = lines.filter(({ line }) => findWrongWord(program, line) !== undefined)
    expect(wrong).toEqual([])
  })

  test('has a section, and the desk a title, for every alarm that can be raised', () => {
    const raised = sources
      .filter(({ text }) => /(?:raise-alarm|match-alarms)\.ts/.test(text))
      .flatMap(({ text }) => [
        ...[...text.matchAll(/Alarm = '([a-z_]+)'/g)].map((match) => match[1]),
        ...[...text.matchAll(/name: '([a-z_]+)',\s*subject/g)].map((match) => match[1]),
      ])
    expect(raised).toContain('route_paused')
    expect(raised).toContain('contradiction')
    const sections = [...read(guide, 'alarms.md').matchAll(/^## `([a-z_]+)`$/gm)].map((match) => match[1])
    expect(new Set(sections)).toEqual(new Set(raised))
    const titles = [...read(root, 'dashboard', 'src', 'desk', 'words', 'alarms.ts').matchAll(/^ {2}([a-z_]+): \{ title: /gm)]
    expect(new Set(titles.map((match) => match[1]))).toEqual(new Set(raised))
  })

  test('says what to do for every reason that an order is held for', () => {
    const [, reasons = ''] = /export type HoldReason =([^/]*?)\n\n/.exec(read(source, 'orders', 'next-step.ts')) ?? []
    const names = [...reasons.matchAll(/'([a-z_]+)'/g)].map((match) => match[1] ?? '')
    expect(names).toContain('no_definitive_answer')
    const text = read(guide, 'stuck-orders.md')
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  test('lists the metrics that there are, and the rules use no others', () => {
    const inCode = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/'(makola_[a-z_]+)',/g)].map((match) => match[1] ?? '')),
    )
    const inGuide = new Set([...read(guide, 'metrics.md').matchAll(/`(makola_[a-z_]+)`/g)].map((match) => match[1] ?? ''))
    expect([...inCode].filter((name) => !inGuide.has(name))).toEqual([])
    expect([...inGuide].filter((name) => !inCode.has(name))).toEqual([])
    const rules = parse(read(operations, 'prometheus', 'alert-rules.yml')) as {
      groups: { rules: { alert: string; expr: string }[] }[]
    }
    const used = rules.groups.flatMap((group) => group.rules.flatMap(({ expr }) => expr.match(/makola_[a-z_]+/g) ?? []))
    expect(used.map((name) => name.replace(/_(count|bucket|sum)$/, '')).filter((name) => !inCode.has(name))).toEqual([])
  })

  test('links only to files and sections that there are', () => {
    const anchorsOf = (file: string) =>
      [...read(file).matchAll(/^#+ (.+)$/gm)].map((match) =>
        (match[1] ?? '')
          .toLowerCase()
          .replaceAll(/[^a-z0-9 _-]/g, '')
          .replaceAll(' ', '-'),
      )
    const broken = pages.flatMap((page) =>
      [...read(guide, page).matchAll(/\]\(([^)]+)\)/g)]
        .map((match) => match[1] ?? '')
        .filter((href) => !href.startsWith('https://'))
        .filter((href) => {
          const [path = '', anchor] = href.split('#')
          const file = path === '' ? join(guide, page) : join(guide, path)
          return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
        })
        .map((href) => `${page} → ${href}`),
    )
    expect(broken).toEqual([])
  })
})

describe('the files to install', () => {
  type Service = {
    command?: string[]
    hostname?: string
    environment?: Record<string, string>
    build?: { context: string; dockerfile: string }
    depends_on?: Record<string, unknown> | string[]
    volumes?: string[]
  }
  const folder = join(operations, 'docker')
  const compose = parse(read(folder, 'compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
  }

  test('run our processes with variables that they read', async () => {
    const program = readProgram()
    for (const [name, service] of Object.entries(compose.services).filter(([, each]) => each.build)) {
      expect(program.commands.map((command) => command.name())).toContain(service.command?.[0])
      const unknown = Object.keys(service.environment ?? {}).filter((variable) => !variables.has(variable))
      expect([name, unknown]).toEqual([name, []])
      const context = join(folder, service.build?.context ?? '')
      expect(existsSync(join(context, service.build?.dockerfile ?? '?'))).toBe(true)
      expect(existsSync(join(context, 'package-lock.json'))).toBe(true)
    }
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(['database', 'migrate', 'api', 'worker', 'caddy']))
  })

  test('mount only volumes and files that there are, and wait only for services that there are', () => {
    for (const service of Object.values(compose.services)) {
      for (const [from = ''] of (service.volumes ?? []).map((volume) => volume.split(':'))) {
        const isThere = from.startsWith('.') ? existsSync(join(folder, from)) : from in compose.volumes
        expect([from, isThere]).toEqual([from, true])
      }
      const waits = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {})
      for (const name of waits) expect(compose.services).toHaveProperty(name)
    }
  })

  test('give all our containers one name that stays: by it a worker knows the files of months that are put away here', () => {
    const names = Object.values(compose.services)
      .filter(({ build }) => build)
      .map(({ hostname }) => hostname)
    expect(new Set(names)).toEqual(new Set(['makola']))
  })

  test('ask for every variable that has to be given', () => {
    const asked = [...read(folder, 'compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1])
    const given = [...read(folder, 'example.env').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1])
    expect(new Set(given)).toEqual(new Set(asked))
  })

  test('start the command line from where it is, under systemd', async () => {
    const program = readProgram()
    const units = readdirSync(join(operations, 'systemd')).filter((name) => name.endsWith('.service'))
    expect(units).toHaveLength(3)
    for (const unit of units) {
      const [, path = '', command] = /^ExecStart=\S+ \/opt\/makola\/(\S+) (\w+)$/m.exec(read(operations, 'systemd', unit)) ?? []
      expect([unit, existsSync(join(root, path))]).toEqual([unit, true])
      expect(program.commands.map((each) => each.name())).toContain(command)
    }
    const given = [...read(operations, 'systemd', 'makola.env').matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1] ?? '')
    expect(given.filter((name) => !variables.has(name))).toEqual([])
  })
})
