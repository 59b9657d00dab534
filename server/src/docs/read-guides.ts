import { readdir, readFile } from 'node:fs/promises'
import type { Sample } from './write-samples.ts'

const folder = new URL('../../../docs/api/', import.meta.url)
const changelog = new URL('../../../CHANGELOG.md', import.meta.url)

/** A page written by hand. */
export type Guide = { readonly slug: string; readonly title: string; readonly description: string; readonly text: string }

/** In the order of the navigation. The first one is the start page. */
const guideSlugs = [
  'getting-started',
  'typescript',
  'php',
  'python',
  'requests',
  'retries',
  'errors',
  'webhooks',
  'lists',
  'limits',
  'test-mode',
  'going-live',
  'test-numbers',
] as const

const languages: readonly (Omit<Sample, 'code'> & { ending: string })[] = [
  { ending: 'sh', language: 'curl', name: 'curl' },
  { ending: 'mjs', language: 'javascript', name: 'JavaScript' },
  { ending: 'php', language: 'php', name: 'PHP' },
  { ending: 'py', language: 'python', name: 'Python' },
]

/** The address in the files of guides and programs, which is replaced by this installation's own. */
const writtenUrl = 'https://localhost:8443'

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`_]/g, '')
    .trim()
}

function readGuide(slug: string, text: string): Guide {
  const [, title = slug] = /^# (.+)$/m.exec(text) ?? []
  const [, description = title] = /^# .+\n+([^\n]+)/.exec(text) ?? []
  return { slug, title: plainText(title), description: plainText(description), text }
}

/** Text between two of these comments is shown only on an installation with simulated suppliers. */
const simulatedPart = /<!-- simulated -->([\s\S]*?)<!-- \/simulated -->\n*/g

type Installation = {
  readonly publicUrl: string
  readonly isSimulated: boolean
  readonly clients: readonly { readonly name: string }[]
}

/** Reads the guides, with this installation's address and only the parts that apply to it, and the changelog as it is. */
export async function readGuides({ publicUrl, isSimulated, clients }: Installation): Promise<Guide[]> {
  // Each language writes the version in a file name in its own way, so the ending identifies the client.
  const nameLike = (written: string) => clients.find(({ name }) => name.endsWith(written.slice(-4)))?.name ?? written
  const here = (text: string) =>
    text
      .replaceAll(writtenUrl, publicUrl)
      .replaceAll(/\bmakola[-_]client-\d[\w.-]*\.(?:tgz|php|whl)\b/g, nameLike)
      .replaceAll(simulatedPart, isSimulated ? '$1' : '')
  const guides = guideSlugs
    .filter((slug) => isSimulated || slug !== 'test-numbers')
    .map(async (slug) => readGuide(slug, here(await readFile(new URL(`${slug}.md`, folder), 'utf8'))))
  const log = readGuide('changelog', await readFile(changelog, 'utf8'))
  return [...(await Promise.all(guides)), log]
}

/** Reads the programs of the guides, by name and in the order of the languages. */
export async function readPrograms(publicUrl: string): Promise<Map<string, Sample[]>> {
  const files = await readdir(new URL('programs/', folder))
  const found = await Promise.all(
    languages.flatMap(({ ending, language, name: title }) =>
      files
        .filter((file) => file.endsWith(`.${ending}`))
        .map(async (file) => {
          const code = (await readFile(new URL(`programs/${file}`, folder), 'utf8')).trim().replaceAll(writtenUrl, publicUrl)
          return { program: file.slice(0, -ending.length - 1), sample: { language, name: title, code } }
        }),
    ),
  )
  const programs = new Map<string, Sample[]>()
  for (const { program, sample } of found) programs.set(program, [...(programs.get(program) ?? []), sample])
  return programs
}
