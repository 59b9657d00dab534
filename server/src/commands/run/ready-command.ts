import { Argument, type Command } from 'commander'
import { readConfig } from '../../config.ts'
import { CommandError } from '../frame/command-error.ts'
import { printResult } from '../frame/print-result.ts'

/** The command ends with 1 when the process is not ready. It opens no database, so a container's health check costs little. */
export function registerReadyCommand(program: Command): void {
  program
    .command('ready')
    .description('ask the API or the worker of this machine whether it is ready')
    .addArgument(new Argument('<role>', 'whom to ask').choices(['api', 'worker']))
    .addHelpText(
      'after',
      '\nAn API is asked at PORT, a worker at METRICS_PORT, which it must have.\n\nExample:\n  METRICS_PORT=9465 makola ready worker',
    )
    .action(async (role: 'api' | 'worker') => {
      const config = readConfig()
      const { askApi, askWorker } = await import('./ask-role.ts')
      if (role === 'worker' && !config.metrics) throw new CommandError('A worker without METRICS_PORT cannot be asked.')
      const status = await (role === 'api' ? askApi(config) : askWorker(config))
      if (status === 0) throw new CommandError(`No ${role} answers here.`)
      if (status !== 200) throw new CommandError(`The ${role} is not ready: it answers ${status}.`)
      printResult({ ok: true, role }, `The ${role} is ready.`)
    })
}
