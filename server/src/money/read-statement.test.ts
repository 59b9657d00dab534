import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readStatement, type StatementLine, type StatementProblem, statementPesewas, statementTime } from './read-statement.ts'

async function readAll(text: string): Promise<(StatementLine | StatementProblem)[]> {
  const lines: (StatementLine | StatementProblem)[] = []
  for await (const line of readStatement(Readable.from([text]))) lines.push(line)
  return lines
}

describe('a statement', () => {
  it.each([
    'ClientReference,Amount,Commission,Status,Date',
    'client_reference;AmountDebited;Meta.Commission;Transaction Status;Created At',
    'Our Reference\tTotal Amount\tcommission (GHS)\tSTATE\tTimestamp',
  ])('is read whatever its columns are called: %s', async (header) => {
    const separator = /[,;\t]/.exec(header)?.[0] ?? ','
    const lines = await readAll(
      `\uFEFF${header}\n${['abc', '20.0000', '0.3099', 'Success', '2026-07-31 14:05'].join(separator)}\n`,
    )
    expect(lines).toEqual([
      {
        line: 2,
        reference: 'abc',
        amountPesewas: 2_000,
        commissionPesewas: 30,
        at: new Date('2026-07-31T14:05:00Z'),
        until: new Date('2026-07-31T14:05:00Z'),
        isBilled: true,
      },
    ])
  })

  it('is read without the columns that only some suppliers have', async () => {
    expect(await readAll('reference,amount\nabc,5\n')).toEqual([
      { line: 2, reference: 'abc', amountPesewas: 500, commissionPesewas: null, at: null, until: null, isBilled: true },
    ])
  })

  it('says of each line that cannot be read what is wrong, and reads the others', async () => {
    expect(await readAll('reference,amount,commission\n,5,\nabc,five,\ndef,5,x\nghi,5,\n')).toMatchObject([
      { line: 2, message: 'has no reference' },
      { line: 3, message: 'has no amount that can be read: "five"' },
      { line: 4, message: 'has no commission that can be read: "x"' },
      { line: 5, reference: 'ghi', amountPesewas: 500 },
    ])
  })

  it.each(['failed', 'Unpaid', 'REVERSED', 'refunded'])('counts a line with status %s as not billed', async (status) => {
    expect(await readAll(`reference,amount,status\nabc,5,${status}\n`)).toMatchObject([{ isBilled: false }])
  })

  it.each([
    ['', 'The file is empty.'],
    ['amount\n5\n', 'no column for the reference'],
    ['reference,colour\nabc,blue\n', 'no column for the amount'],
    ['reference,amount\n"abc,5\n', 'cannot be read as CSV'],
  ])('that is none is refused', async (text, message) => {
    await expect(readAll(text)).rejects.toThrow(message)
  })

  it('streams: a long file is never held as a whole', async () => {
    function* endless() {
      yield 'reference,amount\n'
      for (let line = 0; ; line += 1) yield `r${line},5\n`
    }
    let read = 0
    for await (const line of readStatement(Readable.from(endless()))) {
      read += 'message' in line ? 0 : 1
      if (read === 50_000) break
    }
    expect(read).toBe(50_000)
  })
})

it.each([
  ['20', 2_000],
  ['-20.0000', 2_000],
  ['1,204.559', 120_455],
  ['GHS 0.3', 30],
  ['GH₵5', 500],
  ['', undefined],
  ['1e5', undefined],
  ['=5', undefined],
])('reads the amount %j as %s pesewas', (text, amount) => {
  expect(statementPesewas(text)).toBe(amount)
})

it.each([
  ['2026-07-31', '2026-07-31T00:00:00.000Z', '2026-08-01T00:00:00.000Z'],
  ['31/07/2026 14:05', '2026-07-31T14:05:00.000Z', '2026-07-31T14:05:00.000Z'],
  ['2026-07-31T14:05:09.123Z', '2026-07-31T14:05:09.123Z', '2026-07-31T14:05:09.123Z'],
  ['2026-07-31T14:05:09+01:00', '2026-07-31T13:05:09.000Z', '2026-07-31T13:05:09.000Z'],
])('reads the time %s', (text, at, until) => {
  const time = statementTime(text)
  expect([time?.at.toISOString(), time?.until.toISOString()]).toEqual([at, until])
})

it.each(['', 'yesterday', '2026-13-01', '99/99/2026'])('reads no time out of %j', (text) => {
  expect(statementTime(text)).toBeUndefined()
})
