import { expect, test } from 'vitest'
import { listServerAddresses } from './server-addresses.ts'

test('an address with one host stays as it is', () => {
  for (const address of [
    'postgresql://makola:secret@db.example/makola',
    'postgresql://makola:secret@db.example:5433/makola?sslmode=verify-full',
    'postgresql://makola_app@localhost:5432/makola?host=%2Ftmp%2Fsocket',
  ]) {
    expect(listServerAddresses(address)).toEqual([address])
  }
})

test('an address with several hosts is one address per host, in their order', () => {
  expect(
    listServerAddresses(
      'postgresql://makola:s%40cret@db1,db2:5433,[::1]:5434/makola?target_session_attrs=read-write&sslmode=disable',
    ),
  ).toEqual([
    'postgresql://makola:s%40cret@db1/makola?sslmode=disable',
    'postgresql://makola:s%40cret@db2:5433/makola?sslmode=disable',
    'postgresql://makola:s%40cret@[::1]:5434/makola?sslmode=disable',
  ])
})

test('hosts and ports of the query are understood as PostgreSQL does', () => {
  expect(listServerAddresses('postgresql://makola@/makola?host=db1,/tmp/socket&port=5433,5434')).toEqual([
    'postgresql://makola@db1:5433/makola',
    'postgresql://makola@localhost:5434/makola?host=%2Ftmp%2Fsocket',
  ])
  expect(listServerAddresses('postgres://db1,db2/makola?port=6000')).toEqual([
    'postgres://db1:6000/makola',
    'postgres://db2:6000/makola',
  ])
})

test('a server that takes no writes cannot be asked for, nor fewer ports than hosts', () => {
  expect(() => listServerAddresses('postgresql://db1,db2/makola?target_session_attrs=standby')).toThrow('Makola always writes')
  expect(() => listServerAddresses('postgresql://db1/makola?target_session_attrs=read-only')).toThrow('Makola always writes')
  expect(() => listServerAddresses('postgresql:///makola?host=a,b,c&port=1,2')).toThrow('one port, or as many as hosts')
  const ofStandbys = 'postgresql://db1,db2/makola?target_session_attrs=standby'
  expect(listServerAddresses(ofStandbys, true)).toEqual(['postgresql://db1/makola', 'postgresql://db2/makola'])
  expect(() => listServerAddresses('postgresql://db1/makola?target_session_attrs=primary', true)).toThrow('only standbys')
})
