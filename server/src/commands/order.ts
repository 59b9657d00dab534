import { type Command, Option } from 'commander'
import type { ReportFinding } from '../orders/order-reports/order-report.ts'
import { forceOption, outputOption } from './frame/output-file.ts'
import type { OrderAdjustOptions, OrderRefundOptions, OrderSettleOptions, OrderTakeBackOptions } from './order-actions.ts'
import type { OrderListOptions } from './order-list-actions.ts'

type AnswerReportOptions = { answer: string; found?: ReportFinding }

const actions = () => import('./order-actions.ts')

const statuses = ['queued', 'pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled']

function registerOrderList(order: Command): void {
  order
    .command('list')
    .description('list orders, newest first')
    .option('--recipient <text>', 'to this phone number in any way of writing it, meter, smartcard or e-mail')
    .option('--account <account>', 'of this account: its e-mail or id')
    .option('--product <product>', 'of this product, such as data, airtime or utilities')
    .option('--network <network>', 'on this network, or to this biller')
    .option('--supplier <name>', 'given to this supplier, whatever came of it')
    .addOption(new Option('--status <status>', 'only orders in this state').choices(statuses))
    .option('--reference <text>', 'with this reference or id, ours and the supplier’s own too')
    .option('--stuck', 'only orders that need a person, oldest first')
    .option('--held', 'only orders that wait for something')
    .option('--contradicted', 'only orders about which a supplier said something else after they had ended')
    .option('--from <moment>', 'placed from this date or moment on, in ISO 8601, Ghana’s time')
    .option('--to <moment>', 'placed until this date or moment; a date alone counts whole')
    .option('--limit <count>', 'how many at most, up to 1000; default 50, with --csv all')
    .option('--after <cursor>', 'the page after this one: its `next`')
    .addOption(outputOption('--csv <file>', 'write all of them to a file, however many there are'))
    .addOption(forceOption)
    .addHelpText(
      'after',
      `
Examples:
  makola order list --recipient "024 123 4567"
  makola order list --account ama@example.com --product data --from 2027-01-01 --to 2027-01-31
  makola order list --supplier datamart --status refunded --limit 1000 --json
  makola order list --from 2027-01-01 --to 2027-01-31 --csv january.csv

A cost with ~ is what our price list said when the order was sent; the supplier has not said what it took.`,
    )
    .action(async (options: OrderListOptions) => (await import('./order-list-actions.ts')).runOrderList(options))
}

/** Registers the commands for orders that take two people. */
function registerDecisions(order: Command): void {
  order
    .command('settle')
    .description('settle an open order by the word of two people')
    .argument('<reference>', 'its reference or id')
    .addOption(new Option('--as <outcome>', 'how it ended').choices(['completed', 'failed']).makeOptionMandatory())
    .requiredOption('--evidence <text>', 'what shows it, such as the supplier’s ticket')
    .requiredOption('--by <person>', 'who says so')
    .action(async (reference: string, options: OrderSettleOptions) => (await actions()).runOrderSettle(reference, options))
  order
    .command('take-back')
    .description('refund a purchase of vouchers by the word of two people')
    .argument('<reference>', 'its reference or id')
    .requiredOption('--evidence <text>', 'why, such as what the examination council answered')
    .requiredOption('--by <person>', 'who says so')
    .action(async (reference: string, options: OrderTakeBackOptions) => (await actions()).runOrderTakeBack(reference, options))
  order
    .command('adjust')
    .description('make an ended order good, or claw it back, by the word of two people')
    .argument('<reference>', 'its reference or id')
    .requiredOption('--amount <amount>', 'in GHS: 4.50 goes to the main wallet, -4.50 comes from it')
    .requiredOption('--evidence <text>', 'why, such as the supplier’s ticket')
    .requiredOption('--by <person>', 'who says so')
    .action(async (reference: string, options: OrderAdjustOptions) => (await actions()).runOrderAdjust(reference, options))
}

function registerReports(order: Command): void {
  order
    .command('reports')
    .description('list the orders that resellers report as not delivered, the longest waiting first')
    .option('--limit <count>', 'how many at most, up to 1000', '50')
    .action(async (options: { limit: string }) =>
      (await import('./order-reports/order-report-actions.ts')).runOrderReports(options),
    )
  order
    .command('answer-report')
    .description('answer such a report; the reseller is told, the order and its money stay as they are')
    .argument('<reference>', 'the order’s reference or id')
    .requiredOption('--answer <text>', 'what you found out, for the reseller to read')
    .addOption(new Option('--found <found>', 'what became of the order').choices(['delivered', 'not_delivered', 'unclear']))
    .action(async (reference: string, options: AnswerReportOptions) =>
      (await import('./order-reports/order-report-actions.ts')).runAnswerReport(reference, options),
    )
}

export function registerOrderCommand(program: Command): void {
  const order = program
    .command('order')
    .description('list and show orders, ask suppliers about them, settle stuck ones, make ended ones good')
    .addHelpText(
      'after',
      `
Examples:
  makola order list --stuck
  makola order show my-first-order
  makola order ask my-first-order
  makola order reports
  makola order answer-report my-first-order --answer "delivered at 09:14, says the network"
  makola order settle my-first-order --as failed --evidence "ticket 4711: never arrived" --by ama
  makola order settle my-first-order --as failed --evidence "asked again, agreed" --by kofi
  makola order take-back my-vouchers --evidence "the school's system refuses the PINs" --by ama
  makola order adjust my-first-order --amount 4.50 --evidence "ticket 4712: completed, but never arrived" --by ama

A stuck order is settled by two people: the first one proposes, a second one confirms. A failed order is refunded.
So is a purchase of vouchers that two people take back; the vouchers stay with it and are never sold again.
Any other order that has ended stays what it is; two people may give its reseller up to its price, or take it back.`,
    )
  registerOrderList(order)
  order
    .command('show')
    .description('show one order with its history, attempts and what suppliers said')
    .argument('<reference>', 'its reference or id')
    .action(async (reference: string) => (await actions()).runOrderShow(reference))
  order
    .command('ask')
    .description('let the worker take the next step for an open order at once')
    .argument('<reference>', 'its reference or id')
    .action(async (reference: string) => (await actions()).runOrderAsk(reference))
  order
    .command('refund')
    .description('refund a failed order that was not refunded by itself')
    .argument('<reference>', 'its reference or id')
    .option('--by <person>', 'who does it; default: your user name here')
    .action(async (reference: string, options: OrderRefundOptions) => (await actions()).runOrderRefund(reference, options))
  registerReports(order)
  registerDecisions(order)
}
