import process from 'node:process'
import type { Command } from 'commander'
import { printResult } from '../frame/print-result.ts'
import type { Finding } from './doctor/finding.ts'

const marks = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' }

function humanText(findings: readonly Finding[]): string {
  const lines = findings.map((finding) => `${marks[finding.level]} ${finding.topic.padEnd(15)} ${finding.message}`)
  const problems = findings.filter((finding) => finding.level === 'problem').length
  const summary = problems === 0 ? 'No problems.' : `${problems} problem${problems === 1 ? '' : 's'}.`
  return [...lines, '', summary].join('\n')
}

/** Exit code 1 when there is any problem. */
export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('examine configuration, database, suppliers, public address, certificate and disk space')
    .addHelpText('after', '\nExamples:\n  makola doctor\n  makola doctor --json')
    .action(async () => {
      const { examineInstallation } = await import('./doctor/examine-installation.ts')
      const findings = await examineInstallation()
      const isWell = findings.every((finding) => finding.level !== 'problem')
      printResult({ ok: isWell, findings }, humanText(findings))
      if (!isWell) process.exitCode = 1
    })
}
