import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readStatement, readStatementAmount, type StatementLine, type StatementProblem, statementTime } from './read-statement.ts'

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

  it.each([
    ['reference;amount;status\nabc;1,204.50;ok\n', 120_450],
    ['"A note; ours";reference;amount\nx;abc;1,204.50\n', 120_450],
    ['reference\tamount\tnote\nabc\t1,204.50\tone; two\n', 120_450],
    ['reference,amount,note\r\nabc,"1,204.50",one; two\r\n', 120_450],
    ['\n\nreference;amount\nabc;5\n', 500],
  ])('is parted by what parts its header, and by nothing else: %j', async (text, amountPesewas) => {
    expect(await readAll(text)).toMatchObject([{ reference: 'abc', amountPesewas }])
    const bytes = Array.from(text, (character) => Buffer.from(character))
    const lines: unknown[] = []
    for await (const line of readStatement(Readable.from(bytes))) lines.push(line)
    expect(lines).toMatchObject([{ reference: 'abc', amountPesewas }])
  })

  it('is read as a spreadsheet writes Unicode text', async () => {
    const text = Buffer.from('\uFEFFreference\tamount\r\nabc\t1,204.50\r\n', 'utf16le')
    const lines: unknown[] = []
    for await (const line of readStatement(Readable.from([text]))) lines.push(line)
    expect(lines).toMatchObject([{ reference: 'abc', amountPesewas: 120_450 }])
  })

  it('is given up when its file cannot be read to the end', async () => {
    async function* broken() {
      yield 'reference,amount\nabc,5\n'
      await Promise.reject(new Error('the disk is gone'))
    }
    const read = async () => {
      for await (const line of readStatement(Readable.from(broken()))) expect(line).toMatchObject({ reference: 'abc' })
    }
    await expect(read()).rejects.toThrow('the disk is gone')
  })

  it('is read without the columns that only some suppliers have', async () => {
    expect(await readAll('reference,amount\nabc,5\n')).toEqual([
      { line: 2, reference: 'abc', amountPesewas: 500, commissionPesewas: null, at: null, until: null, isBilled: true },
    ])
  })

  it('says of each line that cannot be read what is wrong, and reads the others', async () => {
    expect(
      await readAll('reference,amount,commission\n,5,\nabc,five,\ndef,5,x\nghi,5,\nj\0k,5,\n\u001b[31ml,5,\n'),
    ).toMatchObject([
      { line: 2, message: 'has no reference' },
      { line: 3, message: 'has no amount that can be read: "five"' },
      { line: 4, message: 'has no commission that can be read: "x"' },
      { line: 5, reference: 'ghi', amountPesewas: 500 },
      { line: 6, message: 'has a reference with control characters' },
      { line: 7, message: 'has a reference with control characters' },
    ])
  })

  it('has no reference that is too long for the table of differences', async () => {
    const [longest, longer] = ['é'.repeat(500), 'é'.repeat(501)]
    expect(await readAll(`reference,amount\n${longest},5\n${longer},5\n`)).toMatchObject([
      { line: 2, reference: longest },
      { line: 3, message: 'has a reference of more than 500 characters' },
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

  it('that is none is not shown whole, nor with what moves a terminal', async () => {
    const header = ['\u001b[31mred', 'x'.repeat(100), ...Array.from({ length: 30 }, (_, index) => `c${index}`)].join(',')
    await expect(readAll(`${header}\n1\n`)).rejects.toThrow(
      new RegExp(`it has: \\?\\[31mred, x{40}, c0, .*, c17, and 12 more\\.$`),
    )
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
  ['20.0000', 2_000],
  ['+20', 2_000],
  ['GHS 0.3', 30],
  ['GH₵5', 500],
  ['1,204', 120_400],
  ['12,345,678.9', 1_234_567_890],
  ['99999999.99', 9_999_999_999],
  ['99,999,999.99', 9_999_999_999],
  ['0000000020.00', 2_000],
  ['-0.00', 0],
])('reads the amount %j as %s pesewas', (text, amount) => {
  for (const isCut of [true, false]) expect(readStatementAmount(text, { isCut })).toEqual({ pesewas: amount })
})

it.each([
  ['20,00', 'that can be read: "20,00"'],
  ['1,2045', 'that can be read: "1,2045"'],
  [',500', 'that can be read: ",500"'],
  ['', 'that can be read: ""'],
  ['1e5', 'that can be read: "1e5"'],
  ['100000000', 'that can be read: "100000000"'],
  ['100,000,000', 'that can be read: "100,000,000"'],
  ['0241234567', 'that can be read: "0241234567"'],
  ['=5', 'that can be read: "=5"'],
  ['-59.00', 'of a charge: "-59.00" is below zero'],
  ['\u221259.00', 'of a charge: "\u221259.00" is below zero'],
  ['(59.00)', 'of a charge: "(59.00)" is below zero'],
  ['59.00-', 'of a charge: "59.00-" is below zero'],
  ['GHS -20.0000', 'of a charge: "GHS -20.0000" is below zero'],
  ['5.709', 'in whole pesewas: "5.709"'],
  ['1,204.559', 'in whole pesewas: "1,204.559"'],
])('refuses the amount %j: it has no amount %s', (text, problem) => {
  expect(readStatementAmount(text, { isCut: false })).toEqual({ problem })
})

it('cuts a commission at the pesewa, as suppliers reckon it in four decimals', () => {
  expect(readStatementAmount('0.3099', { isCut: true })).toEqual({ pesewas: 30 })
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

it.each(['', 'yesterday', '2026-13-01', '99/99/2026', '2026-02-30', '31/02/2026 10:00', '0000-01-01', '9999-12-31'])(
  'reads no time out of %j',
  (text) => {
    expect(statementTime(text)).toBeUndefined()
  },
)
