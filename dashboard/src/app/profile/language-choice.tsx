import { Group, Radio } from '@mantine/core'
import { Link } from 'wouter'
import { chooseLanguage } from '../../languages/choose-language.ts'
import { language, languageNames, languages } from '../../languages/in-language.ts'
import { profileWords as words } from '../words/profile.ts'

/** Lets the person choose the language of the app. The browser keeps the choice. */
export const LanguageChoice = () => (
  <>
    <Radio.Group
      label={words.language}
      value={language}
      onChange={(chosen) => chooseLanguage(languages.find((each) => each === chosen) ?? 'en')}
    >
      <Group gap={24} mt={8}>
        {languages.map((each) => (
          <Radio
            key={each}
            value={each}
            label={<span lang={each}>{languageNames[each]}</span>}
            mih={44}
            styles={{ body: { alignItems: 'center' } }}
          />
        ))}
      </Group>
    </Radio.Group>
    <p>
      {words.drafts} <Link href="/help">{words.readsWrong}</Link>
    </p>
  </>
)
