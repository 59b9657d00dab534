import type { components } from '../../both/api/dashboard-api.d.ts'
import type { Tone } from '../../both/list/state.tsx'

type Key = components['schemas']['DeskKey']

export const keyWords = {
  lead: 'With a key a reseller’s program calls the API. Standard and commission keys wait for you.',
  view: 'Which keys',
  pending: 'Waiting',
  active: 'Working',
  revoked: 'Revoked',
  all: 'All',
  filters: 'Filter keys',
  anyType: 'Any type',
  lastAddress: 'Last used from',
  from: 'Allowed from',
  everywhere: 'Everywhere',
  revokedAt: 'Revoked',
  endsAt: 'Ends, because another key takes its place',
  callsToday: 'Calls today, counted up to 10,000',
  refusedToday: 'Refused today',
  role: 'Role of the account',
  nothingWaits: 'No key waits for you',
  nothingWaitsNext: 'A reseller who makes a standard or commission key comes here.',
  none: 'There is no such key',
  more: 'Show older keys',
  panel: 'The chosen key',
  facts: 'About this key',
  approveQuestion: (name: string) => `Let this key of ${name} in?`,
  approveLead: 'It works within a second, and the account gets a notice.',
  declineQuestion: (name: string) => `Decline this key of ${name}?`,
  declineLead: 'It never works. The account gets a notice with your reason.',
  revoke: 'Revoke',
  revokeQuestion: (name: string) => `Revoke this key of ${name}?`,
  revokeLead: 'Calls with it are refused within a second, for good. The account gets a notice with your reason.',
  setAddresses: 'Set addresses',
  addressesQuestion: 'From where may this key be used?',
  addresses: 'Addresses',
  addressesHelp: 'One in a line, such as 203.0.113.7 or 2001:db8::/32. None: from everywhere.',
  types: { standard: 'Standard', commission: 'Commission', sms: 'SMS' },
} as const

export const keyStates: Readonly<Record<Key['status'], { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'Waiting', tone: 'wait' },
  active: { word: 'Working', tone: 'done' },
  revoked: { word: 'Revoked', tone: 'fail' },
}
