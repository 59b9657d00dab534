import type { Finding, Report } from './run-checks.ts'

const marks = { holds: 'ok      ', broken: 'BROKEN  ', untried: 'not tried' } as const

export function lineOf({ outcome, section, sentence, detail }: Finding): string {
  const line = `${marks[outcome].padEnd(10)}${section}: ${sentence}`
  return detail === '' ? line : `${line}\n          ${detail}`
}

const countOf = (report: Report, outcome: Finding['outcome']) => report.findings.filter((each) => each.outcome === outcome).length

export const summaryOf = (report: Report): string =>
  `${countOf(report, 'holds')} hold, ${countOf(report, 'broken')} broken, ${countOf(report, 'untried')} not tried. ` +
  `At most GHS ${report.spent.toFixed(2)} spent. Run id: ${report.runId}`

const escapeXml = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function testCase({ section, sentence, outcome, detail, seconds }: Finding): string {
  const name = `name="${escapeXml(sentence)}" classname="${escapeXml(section)}" time="${seconds}"`
  if (outcome === 'broken') return `    <testcase ${name}><failure message="${escapeXml(detail)}"/></testcase>\n`
  if (outcome === 'untried') return `    <testcase ${name}><skipped message="${escapeXml(detail)}"/></testcase>\n`
  return `    <testcase ${name}/>\n`
}

/** The report in the form that build servers read. */
export function writeJUnit(report: Report): string {
  const suites = [...new Set(report.findings.map(({ chapter }) => chapter))].map((chapter) => {
    const inside = report.findings.filter((each) => each.chapter === chapter)
    const count = (outcome: Finding['outcome']) => inside.filter((each) => each.outcome === outcome).length
    const head = `name="${escapeXml(chapter)}" tests="${inside.length}" failures="${count('broken')}" skipped="${count('untried')}"`
    return `  <testsuite ${head}>\n${inside.map(testCase).join('')}  </testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance">\n${suites.join('')}</testsuites>\n`
}
