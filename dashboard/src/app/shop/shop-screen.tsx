import { useId, useState } from 'react'
import { api, put, remove, requestData } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ActNow } from '../../both/form/act-now.tsx'
import { SendForm } from '../../both/form/send-form.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { cleanPhone, isPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { shopWords } from '../words/prices.ts'
import css from './shop.module.css'

/** The longer side of a stored logo, in pixels: sharp on a phone where it is shown at 48. */
const sideMax = 256

/**
 * Makes a picture small enough to be stored, in the browser. Metadata of the camera, such as the location, is removed.
 * @throws Error when the file is no picture
 */
async function makeSmall(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(shopWords.noPicture)
  })
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const small = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png')
  })
  if (!small) throw new Error(shopWords.noPicture)
  return small
}

/** Sends the bytes of a logo as they are. */
const sendLogo = (logo: Blob) =>
  requestData(() =>
    api.PUT('/app/api/shop/logo', {
      body: logo as never,
      bodySerializer: (body: unknown) => body as never,
      headers: { 'content-type': logo.type },
    } as never),
  )

function Logo({ hasLogo }: { readonly hasLogo: boolean }) {
  const id = useId()
  const [version, setVersion] = useState(0)
  const sending = useAct(
    async (file: File) => sendLogo(await makeSmall(file)),
    ['own-shop'],
    () => setVersion(version + 1),
  )
  return (
    <Section title={shopWords.logo}>
      <Card>
        <div className={css.logo}>
          {hasLogo && <img src={`/app/api/shop/logo?v=${version}`} alt={shopWords.logo} width={96} height={96} />}
          <div>
            <label htmlFor={id} className={css.choose}>
              {shopWords.choose}
            </label>
            <input
              id={id}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              aria-describedby={`${id}-hint`}
              // The answer for a large picture would otherwise arrive after that for a smaller one, and stay.
              disabled={sending.isPending}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? []
                if (file) sending.mutate(file)
                currentTarget.value = ''
              }}
            />
            <p id={`${id}-hint`} className={css.soft}>
              {shopWords.logoHint}
            </p>
            {hasLogo && (
              <ActNow
                label={fieldWords.remove}
                variant="default"
                aria-label={`${fieldWords.remove}: ${shopWords.logo}`}
                run={() => remove('/app/api/shop/logo')}
                topics={['own-shop']}
              />
            )}
          </div>
        </div>
        {sending.isError && <Failure error={sending.error} />}
      </Card>
    </Section>
  )
}

/** The reseller's name, phone number and logo, which its customers see on receipts and price lists. */
export default function ShopScreen() {
  const mayChange = useMay('manage_account')
  // Kept here, because the form begins anew with what was saved.
  const [isSaved, setSaved] = useState(false)
  return (
    <Page title={shopWords.title}>
      <p className={css.soft}>{mayChange ? shopWords.lead : shopWords.ownerOnly}</p>
      <QueryAnswer query={useRead('own-shop', '/app/api/shop')}>
        {({ name, phone, has_logo }) =>
          mayChange ? (
            <>
              <Card>
                <SendForm
                  key={`${name} ${phone ?? ''}`}
                  fields={{
                    name: { kind: 'text', label: shopWords.name, initial: name, isNeeded: true, lengthMax: 60 },
                    phone: {
                      kind: 'text',
                      label: shopWords.phone,
                      initial: phone ?? '',
                      inputMode: 'tel',
                      isReady: (text) => isPhone(cleanPhone(text)),
                    },
                  }}
                  action={shopWords.save}
                  run={(shop) => {
                    setSaved(false)
                    return put('/app/api/shop', shop)
                  }}
                  topics={['own-shop']}
                  onDone={() => setSaved(true)}
                />
                <p role="status">{isSaved && shopWords.saved}</p>
              </Card>
              <Logo hasLogo={has_logo} />
            </>
          ) : (
            <Card>
              <b>{name}</b>
              <p>{phone}</p>
            </Card>
          )
        }
      </QueryAnswer>
    </Page>
  )
}
