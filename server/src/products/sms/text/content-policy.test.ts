import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkSettingValue } from '../../../platform/settings/settings.ts'
import { smsContentRules, smsReceiptScore } from '../sms.settings.ts'
import { readContentCorpus } from './content-corpus.ts'
import { defaultContentRules } from './content-rules.ts'
import { correctSpelling } from './correct-spelling.ts'
import { findBlockingRule } from './find-blocking-rule.ts'
import { foldText } from './fold-text.ts'
import { measureContentPolicy } from './measure-content-policy.ts'
import { receiptFeatures } from './receipt-features.ts'
import { trainReceiptModel } from './train-receipt-model.ts'

const blocked = [
  'Payment received for GHS 500.00 from KOFI MENSAH. Current Balance: GHS 1,204.50. Transaction ID: 30912345678',
  'Payment received for GHS 20.00 from AMA OWUSU Current Balance: GHS 87.10 . Available Balance: GHS 87.10. Reference: 1. Transaction Fee: 0',
  'You have received GHS 350.00 from 0244123456 on MTN Mobile Money. Your new balance is GHS 912.00',
  'Cash In received for GHS 200.00 from AGENT 3. Current Balance GHS 210.00',
  "Y'ello. You have received GHS 50.00 from KWAME. Financial Transaction Id: 99887766",
  'Your MoMo wallet has been credited with GHS 1000',
  'Your Telecel Cash account has been credited with GHS 75.00',
  'Cash Out made for GHS100.00 to AGENT. Current Balance: GHS20.00 Financial Transaction Id 1234',
  'Your wallet balance is GHS 2,300.00. MTN Mobile Money',
  'Your current balance is GHS 14.20. Dial *170# for MoMo services',
  'Transfer received: GHS 600 from 0201234567, Vodafone Cash, new balance GHS 640',
  'AirtelTigo Money: you have received GHS 30.00. AirtelTigo cares',
  'Payment made for GHS 10.00 to ECG. Current Balance: GHS 5.00',
  'GHS 400.00 has been sent to you via MTN MobileMoney by YAW',
  'You have received 500 cedis from Akosua. Transaction ID 7712. MTN',
  'Ｐａｙｍｅｎｔ ｒｅｃｅｉｖｅｄ for GHS 500.00 from KOFI. Ｃｕｒｒｅｎｔ Ｂａｌａｎｃｅ: GHS 700',
  'Рауmеnt rесеіvеd for GHS 500 from KOFI. Сurrеnt Ваlаnсе: GHS 900',
  'Pаyment receіved fοr GHS 80 Trаnsaсtion lD: 55512',
  'P a y m e n t  r e c e i v e d for GHS 100. C u r r e n t  B a l a n c e GHS 300',
  'P.a.y.m.e.n.t r.e.c.e.i.v.e.d GHS 100 new-balance GHS 300',
  'Paymentreceived for GHS100 CurrentBalance GHS300',
  'Payment rece1ved for GHS 100.00. Current Ba1ance: GHS 300.00',
  'Y0u have rece!ved GHS 100.00 from MTN M0bile M0ney',
  'You have received GH₵ 250 from Esi. New balance GH₵ 251',
  'You have received ₵250.00 on your momo',
  'Pa\u200Byment re\u200Bceived for GHS 45 Tran\u200Bsaction ID 1',
  'PAYMENT RECEIVED FOR GHS 9,000 FROM BANK OF GHANA. AVAILABLE BALANCE GHS 9,100',
  'Páyment réceived for GHS 60.00. Cürrent bálance GHS 61.00',
  '𝐏𝐚𝐲𝐦𝐞𝐧𝐭 𝐫𝐞𝐜𝐞𝐢𝐯𝐞𝐝 for GHS 60.00. 𝐂𝐮𝐫𝐫𝐞𝐧𝐭 𝐛𝐚𝐥𝐚𝐧𝐜𝐞 GHS 61.00',
  'A reversal of GHS 90.00 was done. Your new balance is GHS 92.00. Transaction fee 0.00',
  'Deposit received GHS 120 MTN MoMo',
  'Your mobile money is blocked. Call 0244000111 and confirm your PIN',
  'Money was sent by mistake to your MoMo, please send back GHS 200 or your wallet is suspended',
  'Successfully received GHS 40.00 from 233244123456 MobileMoney',
  'Payment received for GHS lOO.OO from KOFI. Current Balance: GHS 3OO.OO',
  'Pay\u3164ment re\u3164ceived for GHS 100 from KOFI. Cur\u115Frent Balance: GHS 300',
  '🅿🅰🆈🅼🅴🅽🆃 🆁🅴🅲🅴🅸🆅🅴🅳 for GHS 100 from KOFI. 🅟🅛🅔🅐🅢🅔 🅝🅞🅣🅔 🅝🅔🅦 🅑🅐🅛🅐🅝🅒🅔',
  'Ꮲayment received for GHS 100. Ꮯurrent Ᏼalance GHS 300',
  'YOU HAVE RECEIVED 100 GHANA CEDIS. NEW BALANCE 300 GHANA CEDIS',
  'You have re¢eived ¢100 on MoMo',
  'You have received G.H.S. 1 0 0 on MoMo',
  'You have receivedGHS100 on MoMo',
  'You have received 100ghs on MoMo',
  'Payment for GHS 20.00 to ECG. Current Balance: GHS 87.10. Reference: 1',
  'Payment of GHS 20.00 to KOFI. Transaction ID: 30912345678. Your balance is GHS 87.10',
  'GHS 500.00 received from KOFI MENSAH on 12/03. Your balance is GHS 612.40. Trans ID 30912345678',
  'You have received Ghs 250 from AMA SERWAA. Balance Ghs 412.10',
  'AT Money: GHS 40 transferred to you by 0271234567. TxID 99812345',
  'An amount of GHS 1,500.00 has been deposited in your mobile money account',
  'Confirmed. GHS 300 sent to you by YAW BOATENG. MoMo bal: GHS 377.50',
  'Payement recieved for GHS 60 from KOJO. Curent balence GHS 90',
  'You have recieved $500 from ABENA. New blance $700. Transction ID 12345678901',
  'Bal: GHS 90.20. ID 4455667788: GHS 50 from ESI was recieved.',
]

const innocent = [
  'Wallet: Your data wallet balance is GHS 20. Top up now at Ama Data',
  'Hello Ama, your order is ready for pickup at Osu. Thank you for shopping with us!',
  'Your verification code is 482913. Do not share it with anyone.',
  'Dear parent, school fees of GHS 850 for term 2 are due on Friday.',
  'Payment received for GHS 50. Thank you for shopping at Ama Stores.',
  'We accept MTN MoMo, Telecel Cash and card at all our branches.',
  'Please pay GHS 120 to MoMo number 0244123456, name Ama Stores.',
  'Balance due on your invoice 2231: GHS 400. Kindly settle by Monday.',
  'Your susu account balance is GHS 320. Keep saving! Nhyira Susu',
  'Get 5GB for only GHS 20 today! Dial *123# and call us for more.',
  'Church service starts at 9am on Sunday. You are welcome.',
  'Your appointment with Dr. Mensah is on 12 March at 10:30.',
  'Meeting moved to 3pm. Call me if you cannot come.',
  'Congratulations! You have won a free haircut. Visit us this week.',
  'Your parcel has been dispatched. Track it at https://example.com/t/99',
  'Happy birthday Kofi! Enjoy 10% off any meal today.',
  'That money talk on Saturday was great. See you next week.',
  'Akwaaba! Ɛte sɛn? Yɛda mo ase.',
  'Your results checker PIN is 1234567890 and serial WGR123456.',
  'You have received a new message in the app. Open it to read.',
  'Your loan application was received. We will call you within 2 days.',
  'Tickets cost 100 cedis each. Book now on 0302123456.',
  'Your salary slip for May is ready. Log in to the portal.',
  'Reminder: your rent of GHS 1200 is due on the 1st.',
  'The highs of the season: 3 new albums, 2 concerts.',
  'New stock has arrived: shirts GHS 60, shoes GHS 180.',
  'Your data bundle order 1GB MTN was delivered to 0244123456.',
  'Power will be off on Tuesday from 8am to 4pm for maintenance.',
  'Thanks for your donation of GHS 100 to Hope Foundation.',
  'Transaction ID is printed on your receipt. Keep it safe.',
  'Voting closes at 5pm. Make your voice heard!',
  'We received your payment of GHS 75 for tuition. God bless you.',
  'Payment received, though order 12 is pending. Visit the MTN office at Osu for your SIM.',
  'Payment received. Thank you! We are open through 5pm. Call us on our MTN line.',
  'You have received a gift. Laugh out loud with MTN comedy tonight. Intakes open 6, high 5s!',
  'You received our letter; see example.com.gh 0244000000 for MTN lines. GHS only.',
  'Account balance and weigh in: see the MTN desk, room C4.',
  'Thank you for your payment of GHS 50. Your balance is GHS 100. Adom School',
  'Payment for your loan is GHS 50. Account balance GHS 500. Kindly visit our branch',
  'Momo the dog is lost in East Legon. Reward GHS 200. Call 0244000000.',
]

const policy = { rules: defaultContentRules, receiptScoreMin: smsReceiptScore.defaultValue }

describe('impersonation of telecom transaction messages is blocked by content policy', () => {
  it.each(blocked)('blocks %j', (text) => {
    expect(findBlockingRule(text, policy)).toBeDefined()
  })
  it.each(innocent)('lets %j pass', (text) => {
    expect(findBlockingRule(text, policy)).toBeUndefined()
  })

  it('misjudges at most 2 of 100 fakes, and of honest texts, of authors whose texts it was not made with', async () => {
    const sets = await measureContentPolicy(policy)
    const fakes = sets.reduce((sum, set) => sum + set.fakes, 0)
    const honest = sets.reduce((sum, set) => sum + set.honest, 0)
    expect(fakes).toBeGreaterThan(1_000)
    expect(honest).toBeGreaterThan(1_000)
    expect(sets.flatMap((set) => set.missed).length / fakes).toBeLessThanOrEqual(0.02)
    expect(sets.flatMap((set) => set.blocked).length / honest).toBeLessThanOrEqual(0.02)
  })

  it('ships the model that its texts give', async () => {
    const sets = await readContentCorpus()
    const learnt = trainReceiptModel(
      sets.flatMap((set) => set.fakes.map(receiptFeatures)),
      sets.flatMap((set) => set.honest.map(receiptFeatures)),
    )
    expect(`${JSON.stringify(learnt, null, 2)}\n`).toBe(readFileSync(new URL('receipt-model.json', import.meta.url), 'utf8'))
  })

  it('corrects misspelled words of receipts, and leaves words that are spelled correctly', () => {
    const corrected = (text: string) => correctSpelling(foldText(text))
    expect(corrected('Rece1ved, recieved, paymemt')).toBe('received, received, payment')
    expect(corrected('you receive a reversal, and it was reversed')).toBe('you receive a reversal, and it was reversed')
  })

  it('finds a phrase without letters and digits nowhere, instead of in every text', () => {
    const rules = [{ name: 'stars', all: [['***', '\u3164\u3164\u3164']] }]
    expect(findBlockingRule('Hello Ama, your order is ready.', { rules, receiptScoreMin: 100 })).toBeUndefined()
    const rulesWith = (phrase: string) => [{ name: 'rule', all: [[phrase]] }]
    expect(() => checkSettingValue(smsContentRules, rulesWith('***'))).toThrow('sms_content_rules must be')
    for (const phrase of ['{amount}', '*170#', 'ɛte']) checkSettingValue(smsContentRules, rulesWith(phrase))
  })

  it('blocks fewer texts when the operator asks for a higher score', () => {
    const text = 'Amt rcvd: 275.00 GHS. Frm: 0551234567. Avbl bal: 288.10 GHS. T-ID: 7182736001'
    expect(findBlockingRule(text, policy)).toBe('receipt')
    expect(findBlockingRule(text, { rules: defaultContentRules, receiptScoreMin: 100 })).toBeUndefined()
  })
})
