import { Link } from 'wouter'
import { Logo } from '../../both/layout/logo.tsx'
import { Card, Page } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { frameWords } from '../words/frame.ts'
import { mailWords } from '../words/mail.ts'
import { useKeptMails } from './kept-mails.tsx'
import css from './mail.module.css'

const links = /(https?:\/\/\S+)/

/** Hides the token after the # of a link. */
const shown = (link: string): string => link.replace(/#token=.*/, '#token=…')

function MailText({ text }: { readonly text: string }) {
  return (
    <p className={css.text}>
      {text.split(links).map((part, at) =>
        links.test(part) ? (
          <a key={`${at}-${part}`} href={part}>
            {shown(part)}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}

/** The mails that a demo keeps instead of sending them, so that a newcomer needs no mail server. */
export default function MailScreen() {
  const query = useKeptMails({ isWatched: true })
  return (
    <>
      <header className={css.brand}>
        <Logo size={40} />
        {frameWords.name}
      </header>
      <Page title={mailWords.title} end={<Link href="/">{signInWords.title}</Link>}>
        <QueryAnswer query={query}>
          {(mails) => {
            if (mails === null) return <Empty title={mailWords.notKept}>{mailWords.notKeptNext}</Empty>
            if (mails.length === 0) return <Empty title={mailWords.none}>{mailWords.noneNext}</Empty>
            return (
              <>
                <p className={css.lead}>{mailWords.lead}</p>
                {mails.map(({ mail_id, to, subject, text, created_at }) => (
                  <Card key={mail_id}>
                    <div className={css.head}>
                      <b>{subject}</b>
                      <span className="soft fine">
                        {mailWords.to} {to} · <Moment at={created_at} />
                      </span>
                    </div>
                    <MailText text={text} />
                  </Card>
                ))}
              </>
            )
          }}
        </QueryAnswer>
      </Page>
    </>
  )
}
