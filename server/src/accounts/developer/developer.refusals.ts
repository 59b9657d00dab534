import { type Refusals, refuse } from '../../platform/http/refusals.ts'

export const developerRefusals = {
  policyChanged: refuse(409, 'policy_changed', 'There is a newer version of the policy. Read that one, then accept it.'),
  policyNotAccepted: refuse(409, 'policy_not_accepted', 'Accept the developer policy first; then make the key.'),
  keyRoleNeeded: refuse(
    409,
    'key_role_needed',
    'Only agents and dealers can make this key. Ask us to make your account an agent’s.',
  ),
  roleExpired: refuse(409, 'role_expired', 'The role of this account has expired. Ask us to renew it, then make the key.'),
  businessNeeded: refuse(409, 'business_needed', 'Only an approved business can make an SMS key. Ask for the approval first.'),
  keyIsNotActive: refuse(409, 'key_not_active', 'Only a key that works can be changed without a gap. Make a new one.'),
  keyRotatedAlready: refuse(409, 'key_rotated_already', 'Two keys of this type work already. End the old one, then try again.'),
  keyNotFound: refuse(404, 'key_not_found', 'There is no such key of this account.'),
  badAddress: (text: string) =>
    refuse(
      400,
      'bad_address',
      `${JSON.stringify(text)} is not an address or a network. Write 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.`,
    ),
} as const satisfies Refusals
