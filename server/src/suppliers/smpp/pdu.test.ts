import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPduStream, readPdu, writePdu } from './pdu.ts'
import { readAsPackage, writeAsPackage } from './smpp-bench.fixture.ts'

const byte = fc.integer({ min: 0, max: 255 })
const word = fc.string({ unit: fc.constantFrom('0', '7', '9', 'a', 'f', 'X', 'Z', '_', '-'), maxLength: 20 })
const sequenceNumber = fc.integer({ min: 1, max: 0x7fff_ffff })
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes))

const addresses = {
  source_addr_ton: byte,
  source_addr_npi: byte,
  source_addr: word,
  dest_addr_ton: byte,
  dest_addr_npi: byte,
  destination_addr: word,
  // Without the bit that says that a header comes before the text, because the package takes texts apart.
  esm_class: byte.map((value) => value & ~0x40),
  registered_delivery: byte,
}

it('what we write is read by another implementation of SMPP as it was meant', () => {
  const submit = fc.record({ ...addresses, data_coding: fc.constant(4), short_message: octets(254) })
  const payload = fc.option(octets(1_000), { nil: undefined })
  fc.assert(
    fc.property(submit, payload, sequenceNumber, (fields, message_payload, number) => {
      const all = { ...fields, ...(message_payload ? { message_payload } : {}) }
      const {
        short_message: shortMessage,
        message_payload: longMessage,
        ...read
      } = readAsPackage(writePdu('submit_sm', number, all))
      const { short_message, ...others } = fields
      expect(read).toMatchObject({ command: 'submit_sm', command_status: 0, sequence_number: number, ...others })
      expect(shortMessage).toEqual({ message: short_message })
      expect(longMessage).toEqual(message_payload && { message: message_payload })
    }),
  )
})

it.each(['bind_transceiver', 'bind_receiver', 'bind_transmitter'])('%s is written byte for byte as by the package', (command) => {
  const fields = { system_id: 'makola', password: 'secret', system_type: 'x', interface_version: 0x34 }
  expect(writePdu(command, 7, fields)).toEqual(writeAsPackage(command, { ...fields, sequence_number: 7 }))
})

it.each(['enquire_link', 'enquire_link_resp', 'unbind', 'unbind_resp', 'deliver_sm_resp', 'data_sm_resp', 'generic_nack'])(
  '%s is written byte for byte as by the package, also with an error',
  (command) => {
    expect(writePdu(command, 7)).toEqual(writeAsPackage(command, { sequence_number: 7 }))
    expect(writePdu(command, 8, {}, 0x64)).toEqual(writeAsPackage(command, { sequence_number: 8, command_status: 0x64 }))
  },
)

it('what another implementation writes is read as it was meant, in whatever pieces it comes', () => {
  const fields = fc.record({
    ...addresses,
    data_coding: fc.constantFrom(0, 3, 8),
    short_message: octets(254),
    receipted_message_id: word,
    message_state: byte,
    message_payload: octets(500),
  })
  const command = fc.constantFrom('deliver_sm', 'data_sm')
  const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 })
  fc.assert(
    fc.property(command, fields, sequenceNumber, cuts, (name, meant, number, sizes) => {
      const answered = writeAsPackage('submit_sm_resp', { message_id: meant.source_addr, sequence_number: number })
      const bytes = Buffer.concat([writeAsPackage(name, { ...meant, sequence_number: number }), answered])
      const stream = createPduStream()
      const pdus: unknown[] = []
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        pdus.push(...stream.push(bytes.subarray(at, at + size)).map(readPdu))
        at += size
      }
      // The package ends the text of an optional parameter as a C string.
      const { short_message, ...others } = { ...meant, receipted_message_id: `${meant.receipted_message_id}\0` }
      expect(pdus).toMatchObject([
        { command: name, sequence_number: number, ...others, ...(name === 'deliver_sm' ? { short_message } : {}) },
        { command: 'submit_sm_resp', sequence_number: number, message_id: meant.source_addr },
      ])
    }),
  )
})

it('a text that is too long for its PDU is not written, and a command that nobody knows is read as unknown', () => {
  expect(() => writePdu('submit_sm', 1, { short_message: Buffer.alloc(256) })).toThrow(RangeError)
  const strange = writePdu('enquire_link', 1)
  strange.writeUInt32BE(0x0bad, 4)
  expect(readPdu(strange)).toEqual({ command: 'unknown', command_id: 0x0bad, command_status: 0, sequence_number: 1 })
})
