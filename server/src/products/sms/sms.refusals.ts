import { type Refusals, refuse } from '../../platform/http/refusals.ts'

export const smsRefusals = {
  insufficientCredits: refuse(402, 'insufficient_credits', 'Insufficient SMS credits. This try charged nothing.'),
  businessAccountNeeded: refuse(
    403,
    'business_account_needed',
    'SMS needs a business account that was approved. Contact support.',
  ),
  senderNotApproved: refuse(
    400,
    'sender_not_approved',
    'sender must be one of your approved sender IDs or a pool sender; see GET /sms/senders. This try sent nothing and charged nothing.',
  ),
  contentBlocked: refuse(
    400,
    'content_blocked',
    'This text looks like a transaction message of a telecom and is blocked by the content policy. This try sent nothing and charged nothing.',
  ),
  packNotSold: refuse(
    409,
    'pack_not_sold',
    'This pack of SMS credits is not sold any more. This try charged nothing; choose again.',
  ),
  noRecipients: refuse(400, 'no_recipients', 'There is no number to send to. This try sent nothing and charged nothing.'),
  allOptedOut: refuse(
    400,
    'all_opted_out',
    'Every recipient has opted out of your texts. This try sent nothing and charged nothing.',
  ),
  nameMissing: refuse(
    400,
    'name_missing',
    'Some numbers have no saved name. Say what to write instead. This try sent nothing and charged nothing.',
  ),
  tooManyRecipients: refuse(
    400,
    'too_many_recipients',
    'A campaign reaches at most 10,000 numbers. This try sent nothing and charged nothing.',
  ),
  notScheduled: refuse(
    400,
    'schedule_out_of_range',
    'The time of a campaign must lie ahead, at most 90 days. This try sent nothing and charged nothing.',
  ),
  campaignEnded: refuse(409, 'campaign_ended', 'This campaign has ended: all its messages have left, or came back.'),
  campaignNotRunning: refuse(409, 'campaign_not_running', 'Only a campaign that is being sent can be paused or resumed.'),
  pausedByOperator: refuse(409, 'paused_by_operator', 'We paused this campaign, and only we can resume it. Contact support.'),
  senderNotAllowed: (message: string) => refuse(400, 'sender_not_allowed', message),
  listNotFound: refuse(404, 'list_not_found', 'There is no such list of contacts.'),
  listNameTaken: refuse(409, 'list_name_taken', 'There is a list of this name already.'),
  listTooLong: refuse(400, 'list_too_long', 'A list holds at most 10,000 numbers. Nothing was added.'),
  tooManyLists: refuse(400, 'too_many_lists', 'An account has at most 100 lists. Delete one first.'),
  draftNotFound: refuse(404, 'draft_not_found', 'There is no such draft.'),
  tooManyDrafts: refuse(400, 'too_many_drafts', 'An account has at most 50 drafts. Delete one first.'),
  campaignNotFound: refuse(404, 'campaign_not_found', 'No SMS campaign was found for this id.'),
} as const satisfies Refusals
