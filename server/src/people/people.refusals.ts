import { type Refusal, type Refusals, refuse } from '../platform/http/refusals.ts'

/**
 * Refusals of persons. At sign-in and sign-up none shows whether an e-mail is known: `email_not_verified` is given only after the
 * right password.
 */
export const peopleRefusals = {
  notSignedIn: refuse(401, 'not_signed_in', 'You are not signed in, or your session has ended. Sign in.'),
  wrongSignIn: refuse(401, 'wrong_sign_in', 'The e-mail or the password is not right.'),
  wrongPassword: refuse(401, 'wrong_password', 'The password is not right.'),
  wrongCode: refuse(401, 'wrong_code', 'The code is not right, or it is used already. Wait for the next one.'),
  signInAgain: refuse(
    401,
    'sign_in_again',
    'This sign-in took too long or had too many wrong codes. Begin again with the password.',
  ),
  codeRaced: refuse(409, 'code_raced', 'Another sign-in used a back-up code at this moment. Begin again with the password.'),
  emailNotVerified: refuse(403, 'email_not_verified', 'Open the link in the mail that we sent you, then sign in.'),
  linkInvalid: refuse(400, 'link_invalid', 'This link is not valid any more. Ask for a new one.'),
  foreignOrigin: refuse(403, 'foreign_origin', 'This request did not come from a page of this site.'),
  notMember: refuse(403, 'not_a_member', 'This person is not a member of any account.'),
  notStaff: refuse(403, 'not_staff', 'This person is not one of the operator’s staff.'),
  notPermitted: refuse(403, 'not_permitted', 'Your role does not allow this.'),
  ownAccount: refuse(403, 'own_account', 'You act for this account yourself. Somebody else of the staff does this.'),
  ownersLetIn: refuse(
    403,
    'owners_let_in',
    'This account has an owner, who lets buyers and owners in. At the desk only an owner of the desk does it for them.',
  ),
  accountIsSuspended: refuse(
    403,
    'account_suspended',
    'This account is suspended: you can look, but change nothing. Contact support.',
  ),
  secondFactorNeeded: refuse(403, 'second_factor_needed', 'You need a second factor here. Switch it on first.'),
  viewOnly: refuse(
    403,
    'view_only',
    'You are looking at this account as its reseller sees it: nothing can be changed. End the view first.',
  ),
  confirmationNeeded: refuse(403, 'confirmation_needed', 'Give your password or a code first, then try again.'),
  secondFactorIsOn: refuse(409, 'second_factor_is_on', 'The second factor is on already. Switch it off first.'),
  secondFactorIsOff: refuse(409, 'second_factor_is_off', 'The second factor is not on.'),
  askAnOwner: refuse(
    409,
    'ask_an_owner',
    'You are one of the operator’s staff: an owner of the desk takes your second factor away.',
  ),
  noTexts: refuse(409, 'no_texts', 'This installation sends no texts, so there is no way by phone. Use your e-mail.'),
  wrongPhoneCode: refuse(
    400,
    'wrong_phone_code',
    'The code is not right, or it is too old. Type it again, or ask for a new one.',
  ),
  wrongPasskey: refuse(401, 'wrong_passkey', 'The passkey was not accepted. Try again, or use a code.'),
  noPasskey: refuse(409, 'no_passkey', 'There is no passkey for this sign-in. Use a code.'),
  passkeyIsKnown: refuse(409, 'passkey_is_known', 'This passkey is added already.'),
  passkeyNotFound: refuse(404, 'passkey_not_found', 'There is no such passkey of yours.'),
  passkeysNeedName: refuse(
    409,
    'passkeys_need_a_name',
    'Passkeys work only where this installation has a name. Its address (PUBLIC_URL) has only numbers.',
  ),
  tooManyPasskeys: refuse(409, 'too_many_passkeys', 'You have ten passkeys, the most there can be. Remove one first.'),
  sessionNotFound: refuse(404, 'session_not_found', 'There is no such session of yours.'),
  invitationInvalid: refuse(400, 'link_invalid', 'This invitation is not valid any more. Ask whoever invited you for a new one.'),
  actsForAnother: refuse(
    409,
    'acts_for_another',
    'This e-mail acts for an account already, and one person acts for one account. Ask to be invited with another e-mail.',
  ),
  isMemberAlready: refuse(409, 'is_member_already', 'This e-mail is in your team already.'),
  lastOwner: refuse(409, 'last_owner', 'This is the last owner of the account. Make somebody else an owner first.'),
  memberNotFound: refuse(404, 'member_not_found', 'There is no such person or invitation in your team.'),
  tooManyTries: (retryAfterSeconds: number): Refusal => ({
    ...refuse(429, 'too_many_tries', 'Too many tries. Wait before you try again.'),
    retryAfterSeconds,
  }),
} as const satisfies Refusals
