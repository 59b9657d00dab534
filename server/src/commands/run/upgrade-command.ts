import process from 'node:process'
import { Argument, type Command } from 'commander'
import { readConfig } from '../../config.ts'
import { UsageError } from '../frame/command-error.ts'
import { printResult } from '../frame/print-result.ts'

const help = `
Run it from the folder of the new version, before its \`makola migrate\`. Or give the program that runs now the file
makola-VERSION-needs.json of the new release. It changes nothing. Exit code 1 when the version cannot run here.

Examples:
  makola upgrade --check
  makola upgrade --check makola-1.1.0-needs.json --json
  makola upgrade --needs`

export function registerUpgradeCommand(program: Command): void {
  program
    .command('upgrade')
    .description('say what a version needs, what its migrations will do to this database, and how to go back')
    .addArgument(new Argument('[file]', 'needs of another version; left out: of this one'))
    .option('--check', 'compare them with this installation')
    .option('--needs', 'print the needs of this version as JSON, as they stand in the file')
    .addHelpText('after', help)
    .action(async (file: string | undefined, { check = false, needs = false }: { check?: boolean; needs?: boolean }) => {
      if (check === needs)
        throw new UsageError('give either --check or --needs; the upgrade itself is in docs/operating/upgrades.md')
      const { readNeedsFile, readOwnNeeds } = await import('./upgrade/release-needs.ts')
      const wanted = file === undefined ? await readOwnNeeds() : await readNeedsFile(file)
      if (needs) return printResult(wanted, JSON.stringify(wanted, null, 2))
      const { checkUpgrade } = await import('./upgrade/forecast-upgrade.ts')
      const { describeForecast } = await import('./upgrade/describe-forecast.ts')
      const forecast = await checkUpgrade(readConfig(), wanted)
      printResult(forecast, describeForecast(forecast))
      if (!forecast.ok) process.exitCode = 1
    })
}
