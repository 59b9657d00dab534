import { Button, type CSSVariablesResolver, createTheme, Input, type MantineColorsTuple, Skeleton } from '@mantine/core'
import { sharedWords } from '../words.ts'

const market: MantineColorsTuple = [
  '#e2f1ea',
  '#c9e6da',
  '#93d8bb',
  '#5fd0a5',
  '#37b386',
  '#1d9a6e',
  '#12825b',
  '#0b6a4e',
  '#08563f',
  '#054231',
]

/** The greys of the dark scheme: those of `look.css` for paper, cards and lines, instead of Mantine's own. */
const dark: MantineColorsTuple = [
  '#ebe7de',
  '#cfcac0',
  '#a9a498',
  '#6d7280',
  '#2d313b',
  '#232730',
  '#191c22',
  '#13151a',
  '#101216',
  '#0c0e11',
]

/** The main action is green; a secondary one is green on a paler green. */
const buttonColours: Readonly<Record<string, Record<string, string>>> = {
  filled: { '--button-bg': 'var(--accent)', '--button-color': 'var(--on-accent)' },
  light: { '--button-bg': 'var(--accent-soft)', '--button-hover': 'var(--accent-soft)', '--button-color': 'var(--accent)' },
}

/** The label is read when a dialog opens: by then the language of the app is loaded. */
const closeButton = {
  get 'aria-label'() {
    return sharedWords.close
  },
}

/** Buttons and fields are as tall as a thumb needs; the rest is Mantine's. */
export const theme = createTheme({
  colors: { market, dark },
  primaryColor: 'market',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 12,
  respectReducedMotion: true,
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '0.9375rem', lg: '1.25rem', xl: '2.125rem' },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'md', h: 'auto', mih: 44 },
      // Mantine would choose the colour of the letters by the light scheme's green. In the dark scheme white letters on green
      // could not be read, so both colours are set here.
      vars: (_theme, { variant = 'filled', color }) => ({ root: color === undefined ? (buttonColours[variant] ?? {}) : {} }),
    }),
    // With a large font, a field becomes taller, and its padding does not grow.
    Input: Input.extend({
      defaultProps: { size: 'md', rightSectionWidth: 42 },
      vars: () => ({ wrapper: { '--input-height': 'max(44px, 2rem + 12px)', '--input-padding': '14px' } }),
    }),
    // No star marks required fields, because screen readers would read it as a part of the label. A missing value is named when
    // the form is sent.
    InputWrapper: Input.Wrapper.extend({ defaultProps: { withAsterisk: false } }),
    // The defaults of dialogs are set without importing `Modal`, so that its code is loaded only with the first screen that has a
    // dialog.
    Modal: { defaultProps: { radius: 14, centered: true, closeButtonProps: closeButton } },
    Skeleton: Skeleton.extend({ defaultProps: { radius: 12 } }),
  },
})

const colours = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--soft)',
  '--mantine-color-default': 'var(--card)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-default-hover': 'var(--raised)',
  '--mantine-color-placeholder': 'var(--soft)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
}

/** Sets Mantine's colours to those of `look.css`, by the same names in light and dark. */
export const colourVariables: CSSVariablesResolver = () => ({ variables: {}, light: colours, dark: colours })
