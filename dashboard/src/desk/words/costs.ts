import { formatUnitCost } from '../../both/money/format-ghs.ts'

export const costWords = {
  title: 'Costs that no supplier reports',
  lead: 'No supplier reports these costs. Until they are entered, the margin of reports and of today is shown with ≤: it is at most so high. A cost counts from a day on, and reports since then are counted anew.',
  cost: 'Cost now',
  since: 'Counts from',
  by: 'Entered by',
  notKnown: 'Not known',
  each: (cost: string, unit: string) => `${cost} a ${unit}`,
  show: (amount: number | null, percent: number | null) => {
    if (amount === null) return 'not known'
    const part = percent === null || percent === 0 ? '' : `${percent} %`
    return [part, amount === 0 && part !== '' ? '' : formatUnitCost(amount)].filter(Boolean).join(' and ')
  },
  enter: 'Enter',
  question: (of: string, title: string) => `What do ${of} cost: ${title}?`,
  amount: (unit: string) => `GHS for each ${unit}, such as 15.50`,
  percent: 'Percent of what is paid',
  fromHelp: 'Left empty: from now; for a batch from its import.',
  note: 'Where it comes from, such as an invoice',
  noAmount: 'Write what it costs; 0 if it costs nothing.',
  history: 'What was entered, newest first',
  enteredAt: 'Entered on',
} as const
