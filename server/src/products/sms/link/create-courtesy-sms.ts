import type { CourtesySmsOutcome, CourtesySmsPort } from '../../../notices/message-transports.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'
import { smsSegmentRule } from '../sms.settings.ts'
import { encodeText } from '../text/encode-text.ts'
import { internationalNumber } from '../text/read-recipients.ts'
import type { HeldLink } from './hold-link.ts'

function outcomeOf({ meaning, evidence }: SmsAnswer): CourtesySmsOutcome {
  switch (meaning) {
    case 'accepted':
      return { outcome: 'sent' }
    case 'rejected':
      return { outcome: 'not_sent', isFinal: true, reason: evidence }
    case 'refused_us':
    case 'not_sent':
      return { outcome: 'not_sent', isFinal: false, reason: evidence }
    case 'unknown':
      return { outcome: 'unknown', reason: evidence }
  }
  return meaning satisfies never
}

/** Finds the sender of the platform's own texts: the pool's default, else the pool's first sender by name. */
async function findPlatformSender(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('sms_senders')
    .select('sender')
    .where('account_id', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('sender')
    .executeTakeFirst()
  return row?.sender
}

/** Sends courtesy messages over a link that this process holds, from the platform's own sender. */
export function createCourtesySms(deps: { db: Db; settings: Settings }, link: HeldLink): CourtesySmsPort {
  return {
    async sendSms({ to, text }) {
      const recipient = internationalNumber(to)
      if (recipient === undefined) return { outcome: 'not_sent', isFinal: true, reason: 'the number is not a Ghanaian one' }
      const sender = await findPlatformSender(deps.db)
      if (sender === undefined) return { outcome: 'not_sent', isFinal: false, reason: 'there is no pool sender' }
      const encoded = encodeText(text.toWellFormed(), await deps.settings.read(smsSegmentRule))
      return outcomeOf(await link.submit({ sender, recipient, text: encoded }))
    },
  }
}
