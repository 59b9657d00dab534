const next = '## Unreleased'

/**
 * Gives the changes since the last release their version, and begins an empty section for the next ones.
 *
 * @param text CHANGELOG.md
 * @param day of the release, as YYYY-MM-DD
 * @throws Error when there is nothing to release, or the version has its section already
 */
export function closeSection(text: string, version: string, day: string): string {
  const [before = '', after] = text.split(`${next}\n`)
  if (after === undefined) throw new Error(`CHANGELOG.md has no section "${next}"`)
  if (after.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section ${version} already`)
  const [changes = ''] = after.split('\n## ')
  if (!/^- /m.test(changes)) throw new Error(`CHANGELOG.md lists no change below "${next}"`)
  return `${before}${next}\n\n## ${version} (${day})\n${after}`
}

/**
 * Returns the section of one version in CHANGELOG.md, without its heading.
 *
 * @returns undefined when it has no section for it
 */
export function readSection(text: string, version: string): string | undefined {
  const [, section] = text.split(`\n## ${version} `)
  return section?.split('\n## ')[0]?.replace(/^.*\n/, '').trim()
}
