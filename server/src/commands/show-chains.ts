import process from 'node:process'
import { allChains } from '../all-chains.ts'
import { readConfig } from '../config.ts'
import type { Chain } from '../platform/chains/chain.ts'
import { readChainHeads } from '../platform/chains/read-chain-heads.ts'
import { formatHead, headsFile, parseHead, type RecordedHead, readHeadsFile } from '../platform/chains/recorded-heads.ts'
import { type ChainReport, countSealedRows, describeFinding, verifyChain } from '../platform/chains/verify-chain.ts'
import type { Db } from '../platform/database/database.ts'
import { printable } from '../platform/texts-for-people.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { readMoment } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type ChainOptions = { from?: string; noted?: string[]; heads?: string[] }

function readNoted(texts: readonly string[]): RecordedHead[] {
  return texts.map((text) => {
    const head = parseHead(text)
    if (head && allChains.some(({ name }) => name === head.chain)) return head
    throw new UsageError(`--noted must be a head as \`makola log --head\` prints it, not ${JSON.stringify(text)}.`)
  })
}

/** Reads the heads (newest blocks) in the installation's own file, and in the named files. */
async function readFiles(dataDir: string, named: readonly string[]): Promise<RecordedHead[]> {
  const read = await Promise.all(
    [headsFile(dataDir), ...named].map(async (file, index) => {
      try {
        const { heads } = await readHeadsFile(file)
        if (index > 0 && heads.length === 0) throw new Error(`${file} holds no heads`)
        return heads
      } catch (error) {
        throw new CommandError(`The heads could not be read: ${error instanceof Error ? error.message : String(error)}.`)
      }
    }),
  )
  return read.flat()
}

async function verifyWithProgress(db: Db, chain: Chain, options: { from?: Date; noted: RecordedHead[] }): Promise<ChainReport> {
  const total = await countSealedRows(db, chain, options.from)
  const line = openProgressLine(process.stderr, (count) => `${chain.name}: ${count} of ${total} rows`)
  try {
    return await verifyChain(db, chain, { ...options, onProgress: (rows) => line.show(rows) })
  } finally {
    line.close()
  }
}

function describe(chain: Chain, { blocks, rows, head, finding }: ChainReport): string {
  if (finding) return `${chain.name} is NOT as it was sealed. First of all, ${printable(describeFinding(chain, finding))}.`
  if (!head || blocks === 0) return `${chain.name}: nothing of that is sealed yet.`
  return `${chain.name}: ${rows} rows in ${blocks} blocks are as they were sealed. Head: ${formatHead(head)}`
}

function view({ blocks, rows, head, finding }: ChainReport) {
  return {
    blocks,
    rows,
    head: head && formatHead(head),
    finding: finding && {
      what: finding.what,
      row: finding.row,
      block_no: finding.blockNo,
      sealed_at: finding.sealedAt?.toISOString() ?? null,
    },
  }
}

/** Recomputes chains and prints the result. Sets exit code 1 when a row or a block was changed, removed or added. */
export async function runChainVerification(chains: readonly Chain[], options: ChainOptions): Promise<void> {
  const from = options.from === undefined ? {} : { from: readMoment('--from', options.from) }
  const noted = readNoted(options.noted ?? [])
  const other = noted.find(({ chain }) => !chains.some(({ name }) => name === chain))
  if (other) throw new UsageError(`A head of ${other.chain} is compared by \`makola audit --chain\`.`)
  const config = readConfig()
  noted.push(...(await readFiles(config.dataDir, options.heads ?? [])))
  const checked = await withDatabase(config, async (db) => {
    const all: { chain: Chain; report: ChainReport }[] = []
    for (const chain of chains) all.push({ chain, report: await verifyWithProgress(db, chain, { ...from, noted }) })
    return all
  })
  const ok = checked.every(({ report }) => report.finding === null)
  const lines = checked.map(({ chain, report }) => describe(chain, report))
  if (noted.length > 0) lines.push(`Compared with ${noted.length} heads that were noted outside of the database.`)
  printResult(
    {
      ok,
      ...(noted.length > 0 && { heads_compared: noted.length }),
      chains: Object.fromEntries(checked.map(({ chain, report }) => [chain.name, view(report)])),
    },
    lines.join('\n'),
  )
  if (!ok) process.exitCode = 1
}

/**
 * Prints the newest block of each chain. The operator keeps it in a place where those who can change the database cannot change
 * it.
 */
export async function runChainHeads(): Promise<void> {
  const heads = await withDatabase(readConfig(), readChainHeads)
  const shown = heads.map(({ chain, blockNo, hash, sealedAt, sealedThroughAt }) => ({
    chain,
    head: blockNo === null || hash === null ? null : formatHead({ chain, blockNo, hash }),
    sealed_at: sealedAt?.toISOString() ?? null,
    sealed_through: sealedThroughAt.toISOString(),
  }))
  const lines = shown.map(({ chain, head, sealed_at: at }) =>
    head === null ? `${chain}: nothing is sealed yet` : `${head}  ${at}`,
  )
  printResult({ heads: shown }, lines.join('\n'))
}
