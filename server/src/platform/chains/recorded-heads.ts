import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../database/database.ts'
import { readChainHeads } from './read-chain-heads.ts'

/** A block's hash as noted outside of the database. */
export type RecordedHead = { readonly chain: string; readonly blockNo: number; readonly hash: string }

/** The text of a head, which people note and `--noted` takes. */
export const formatHead = ({ chain, blockNo, hash }: RecordedHead): string => `${chain}:${blockNo}:${hash}`

/** @returns undefined for a text that is not a head */
export function parseHead(text: string): RecordedHead | undefined {
  const [, chain = '', blockNo, hash = ''] = /^(\w+):(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? []
  return blockNo === undefined ? undefined : { chain, blockNo: Number(blockNo), hash }
}

/** Lists the newest block of each chain that has one. */
export async function readPresentHeads(db: Db): Promise<RecordedHead[]> {
  const heads = await readChainHeads(db)
  return heads.flatMap(({ chain, blockNo, hash }) => (blockNo === null || hash === null ? [] : [{ chain, blockNo, hash }]))
}

/** The file of an installation to which its workers add the heads of each day. */
export const headsFile = (dataDir: string) => join(dataDir, 'chain-heads.txt')

type HeadsOfFile = { readonly heads: RecordedHead[]; readonly lastNotedAt: Date | undefined }

/**
 * Reads a file of heads; each line is a moment and a head.
 * @returns no heads when there is no such file
 * @throws Error naming the first line with another form
 */
export async function readHeadsFile(file: string): Promise<HeadsOfFile> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map((line, index) => {
    const [moment = '', head = ''] = line.trim().split(/\s+/)
    const noted = parseHead(head)
    const at = new Date(moment)
    if (!noted || Number.isNaN(at.getTime())) throw new Error(`line ${index + 1} of ${file} is not a moment and a head`)
    return { noted, at }
  })
  return { heads: read.map(({ noted }) => noted), lastNotedAt: read.at(-1)?.at }
}

const dayMilliseconds = 86_400_000

/** Adds the present heads to the file, unless its last entry is less than a day old. Whole lines are added in one write. */
export async function appendHeads(db: Db, file: string): Promise<void> {
  const { lastNotedAt } = await readHeadsFile(file)
  if (lastNotedAt && Date.now() - lastNotedAt.getTime() < dayMilliseconds) return
  const heads = await readPresentHeads(db)
  if (heads.length === 0) return
  const at = new Date().toISOString()
  await appendFile(file, heads.map((head) => `${at} ${formatHead(head)}\n`).join(''), { mode: 0o600 })
}
