import { expect, it } from 'vitest'
import { createPduWriter, writePdu } from './pdu.ts'

const submit = {
  source_addr_ton: 5,
  source_addr: 'Makola',
  dest_addr_ton: 1,
  destination_addr: '233241000001',
  registered_delivery: 1,
  short_message: Buffer.from('Your number is 233241000001', 'latin1'),
}
/** One after another, as a link writes them: exactly the differences from the one before must be in the bytes. */
const submits: Readonly<Record<string, unknown>>[] = [
  submit,
  submit,
  { ...submit, destination_addr: '233241000002' },
  { ...submit, destination_addr: '233241000003', short_message: Buffer.from(submit.short_message) },
  { ...submit, destination_addr: '+233241000003' },
  { ...submit, destination_addr: '' },
  { ...submit, destination_addr: '233241000004', source_addr: '233241000004' },
  { ...submit, destination_addr: '233241000005', source_addr: '233241000004' },
  { ...submit, destination_addr: '233241000005', source_addr: '233241000005', short_message: Buffer.from('Another text') },
  { ...submit, destination_addr: '233241000006', data_coding: 8 },
  { ...submit, destination_addr: '233241000007', service_type: 'WAP' },
  { ...submit, destination_addr: '233241000008', service_type: 'WAP' },
  { ...submit, short_message: Buffer.alloc(0), message_payload: Buffer.from('long') },
  { ...submit, short_message: Buffer.alloc(0), message_payload: Buffer.from('Long') },
  submit,
]

it('a connection writes each submit as the package writes it alone, whatever was written before it', () => {
  const write = createPduWriter()
  const written = submits.map((fields, number) => write('submit_sm', number, fields))
  const alone = submits.map((fields, number) => writePdu('submit_sm', { ...fields, sequence_number: number }))
  expect(written.map(String)).toEqual(alone.map(String))
})

it('a response has the number and the status of its own request, and no other command is taken for it', () => {
  const write = createPduWriter()
  const responses = [
    ['deliver_sm_resp', 7, { command_status: 0 }],
    ['deliver_sm_resp', 8, { command_status: 0 }],
    ['deliver_sm_resp', 9, { command_status: 0x64 }],
    ['enquire_link_resp', 10, {}],
    ['deliver_sm_resp', 11, { command_status: 0 }],
  ] as const
  for (const [command, number, fields] of responses) {
    expect(write(command, number, fields)).toEqual(writePdu(command, { ...fields, sequence_number: number }))
  }
})
