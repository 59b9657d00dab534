import { showMoment } from '../show-moment.ts'
import type { Chain } from './chain.ts'
import type { ChainFinding } from './verify-chain.ts'

const happened: Readonly<Record<ChainFinding['what'], string>> = {
  'row altered': 'was altered after it was sealed',
  'row missing': 'is missing',
  'row added': 'was added later',
  'block altered': 'was altered',
  'block missing': 'is missing',
}

/** Describes a finding: `transfer … of block 17, sealed at …, is missing`. */
export function describeFinding({ rowName }: Chain, { what, row, blockNo, sealedAt }: ChainFinding): string {
  const block = `block ${blockNo}${sealedAt ? `, sealed at ${showMoment(sealedAt)},` : ''}`
  return row === null ? `${block} ${happened[what]}` : `${rowName} ${row} of ${block} ${happened[what]}`
}
