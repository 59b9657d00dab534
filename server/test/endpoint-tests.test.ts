import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources, root, source } from './reading/read-sources.ts'

type Contract = { paths: Record<string, Record<string, { operationId: string }>> }

const contract = JSON.parse(readFileSync(join(root, 'contract/openapi.json'), 'utf8')) as Contract

/** `purchaseDataBatch` → `purchase-data-batch`, `verifyNumberOnServer1` → `verify-number-on-server-1` */
const kebab = (name: string) => name.replaceAll(/([A-Z]|\d+)/g, (part) => `-${part.toLowerCase()}`)

const endpoints = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    file: `${kebab(operationId)}.test.ts`,
  })),
)

const tests = readSources(source).filter(({ path }) => path.endsWith('.test.ts'))
const declarers = (endpoint: string) => tests.filter(({ text }) => text.includes(`describe('${endpoint}', `))

/** The titles of a file's tests, also of those that run over a table. */
const titlesOf = (text: string) =>
  [...text.matchAll(/(?:^\s*it\(|^\s*it\.each[^\n]*\)\(|^\s*\](?: as const)?\)\()\s*(['"`])(.*?)\1,/gms)].map(
    (match) => match[2] ?? '',
  )

/** One status, several statuses, or the placeholder of a table of cases. */
const beginsWithStatus = /^(?:%d|\d{3}(?:(?:, | or |, then )\d{3})*): /

describe('each endpoint of contract/openapi.json', () => {
  it.each(endpoints)('$name is declared by one file of tests, $file', ({ name, file }) => {
    expect(declarers(name).map(({ path }) => basename(path))).toEqual([file])
  })

  it.each(endpoints)('$name has its tests beside its route', ({ name }) => {
    const [folder] = declarers(name).map(({ path }) => dirname(path))
    expect(folder !== undefined && existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.routes.ts'))).toBe(
      true,
    )
  })

  it.each(endpoints)('$name has titles that begin with the status', ({ name }) => {
    const titles = declarers(name).flatMap(({ text }) => titlesOf(text))
    expect(titles.filter((title) => !beginsWithStatus.test(title))).toEqual([])
  })
})
