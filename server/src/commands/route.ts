import { type Command, InvalidArgumentError } from 'commander'
import { parseRouteName, type RouteParts } from '../suppliers/route-name.ts'
import type { RouteSelection } from '../suppliers/routes/select-routes.ts'
import { readCount } from './frame/read-options.ts'
import type { PauseOptions } from './route-actions.ts'

const actions = () => import('./route-actions.ts')

const priorityDefault = 100

function readRoute(text: string): RouteParts {
  const route = parseRouteName(text)
  if (!route) throw new InvalidArgumentError('It must be SUPPLIER/PRODUCT/NETWORK, such as datamart/data/MTN.')
  return route
}

function readSelection(text: string): RouteSelection {
  const [supplier, product, network, ...rest] = text.split('/')
  if (!supplier || product === '' || network === '' || rest.length > 0) {
    throw new InvalidArgumentError(
      'It must be SUPPLIER, SUPPLIER/PRODUCT or SUPPLIER/PRODUCT/NETWORK, such as datamart/data/MTN.',
    )
  }
  return { supplier, ...(product === undefined ? {} : { product }), ...(network === undefined ? {} : { network }) }
}

const readMinutes = (text: string) => readCount('--for', text, { least: 1, most: 999_999 })
const readPriority = (text: string) => readCount('--priority', text, { least: 0, most: 999_999 })

export function registerRouteCommand(program: Command): void {
  const route = program.command('route').description('the routes: supplier, product and network')
  route
    .command('list')
    .description('list the routes, best first')
    .action(async () => (await actions()).runRouteList())
  route
    .command('pause')
    .description('send nothing new on routes; orders choose another route or wait')
    .argument('<route>', 'one route, or SUPPLIER or SUPPLIER/PRODUCT for all of them', readSelection)
    .option('--reason <text>', 'why, for whoever reads the list')
    .option('--for <minutes>', 'open again by itself after so long', readMinutes)
    .addHelpText('after', '\nExample:\n  makola route pause datamart/data/MTN --reason "prices changed" --for 30')
    .action(async (selection: RouteSelection, options: PauseOptions) => (await actions()).runRoutePause(selection, options))
  route
    .command('resume')
    .description('open paused routes')
    .argument('<route>', 'one route, or SUPPLIER or SUPPLIER/PRODUCT for all of them', readSelection)
    .action(async (selection: RouteSelection) => (await actions()).runRouteResume(selection))
  route
    .command('add')
    .description('add a route, or change the priority of one')
    .argument('<route>', 'SUPPLIER/PRODUCT/NETWORK', readRoute)
    .option('--priority <number>', 'the lowest is asked first', readPriority, priorityDefault)
    .addHelpText('after', '\nExample:\n  makola route add datamart/data/Telecel --priority 10')
    .action(async (parts: RouteParts, options: { priority: number }) => (await actions()).runRouteAdd(parts, options))
}
