import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../config.ts'
import type { Db } from '../platform/database/database.ts'
import type { Route } from '../suppliers/ports.ts'
import { parseRouteName, type RouteParts } from '../suppliers/route-name.ts'
import type { RouteSelection } from '../suppliers/select-routes.ts'
import { CommandError } from './command-error.ts'
import { printResult } from './print-result.ts'

const priorityDefault = 100

function viewRoute(route: Route) {
  const { name, supplier, product, network, priority, health } = route
  const isPaused = health.state === 'paused'
  return {
    route: name,
    supplier,
    product,
    network,
    priority,
    supplier_enabled: route.isSupplierEnabled,
    state: health.state,
    reason: isPaused ? health.reason : null,
    until: isPaused ? (health.until?.toISOString() ?? null) : null,
  }
}

function describeRoute(route: ReturnType<typeof viewRoute>): string {
  const until = route.until === null ? 'until it is resumed' : `until ${route.until} at least`
  const state = route.state === 'open' ? 'open' : `paused (${route.reason}) ${until}`
  const note = route.supplier_enabled ? '' : ', but its supplier is disabled'
  return `${route.route}  priority ${route.priority}  ${state}${note}`
}

/** Runs a change and prints the routes it names; without a change all of them. */
async function run(change?: (db: Db, actor: string) => Promise<readonly string[]>): Promise<void> {
  const config = readConfig()
  const { withDatabase } = await import('./with-database.ts')
  const { readRoutes } = await import('../suppliers/read-routes.ts')
  const { RouteChangeError } = await import('../suppliers/write-route.ts')
  const { nameOperator } = await import('./name-operator.ts')
  try {
    const routes = await withDatabase(config, async (db) => {
      const names = change ? await change(db, nameOperator()) : undefined
      return (await readRoutes(db)).filter((route) => names === undefined || names.includes(route.name)).map(viewRoute)
    })
    printResult({ routes }, routes.map(describeRoute).join('\n') || 'There is no route yet. Add one with `makola route add`.')
  } catch (error) {
    if (error instanceof RouteChangeError) throw new CommandError(error.message)
    throw error
  }
}

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

function readWholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

async function pause(selection: RouteSelection, options: { reason?: string; for?: number }): Promise<void> {
  const { pauseRoutesByHand } = await import('../suppliers/write-route.ts')
  const seconds = options.for === undefined ? null : options.for * 60
  await run((db, actor) => pauseRoutesByHand(db, selection, { reason: options.reason ?? '', seconds }, actor))
}

async function resume(selection: RouteSelection): Promise<void> {
  const { resumeRoutesByHand } = await import('../suppliers/write-route.ts')
  await run((db, actor) => resumeRoutesByHand(db, selection, actor))
}

async function add(route: RouteParts, options: { priority: number }): Promise<void> {
  const { addRoute } = await import('../suppliers/write-route.ts')
  const { routeName } = await import('../suppliers/route-name.ts')
  await run(async (db, actor) => {
    await addRoute(db, route, options.priority, actor)
    return [routeName(route)]
  })
}

/** `makola route …`: which supplier fulfils what on which network, in which order, and what is paused. */
export function registerRouteCommand(program: Command): void {
  const route = program.command('route').description('the routes: supplier, product and network')
  route
    .command('list')
    .description('list the routes, best first')
    .action(() => run())
  route
    .command('pause')
    .description('send nothing new on routes; orders choose another route or wait')
    .argument('<route>', 'one route, or SUPPLIER or SUPPLIER/PRODUCT for all of them', readSelection)
    .option('--reason <text>', 'why, for whoever reads the list')
    .option('--for <minutes>', 'open again by itself after so long', readWholeNumber)
    .addHelpText('after', '\nExample:\n  makola route pause datamart/data/MTN --reason "prices changed" --for 30')
    .action(pause)
  route
    .command('resume')
    .description('open paused routes')
    .argument('<route>', 'one route, or SUPPLIER or SUPPLIER/PRODUCT for all of them', readSelection)
    .action(resume)
  route
    .command('add')
    .description('add a route, or change the priority of one')
    .argument('<route>', 'SUPPLIER/PRODUCT/NETWORK', readRoute)
    .option('--priority <number>', 'the lowest is asked first', readWholeNumber, priorityDefault)
    .addHelpText('after', '\nExample:\n  makola route add datamart/data/Telecel --priority 10')
    .action(add)
}
